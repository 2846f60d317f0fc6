import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const EXPLICIT = 0xa0;

/** Distinguished encoding: a tag, a length, the content. */
const der = (tag: number, ...contents: Buffer[]) => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const sequence = (...contents: Buffer[]) => der(SEQUENCE, ...contents);
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

const nameOf = (host: string) => sequence(der(SET, sequence(oid('550403'), der(0x0c, Buffer.from(host)))));

const utcTime = (instant: Date) =>
  der(0x17, Buffer.from(`${instant.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

const alternativeName = (address: string) => {
  const names = sequence(der(0x87, Buffer.from(address.split('.').map(Number))));
  return der(EXPLICIT + 3, sequence(sequence(oid('551d11'), der(0x04, names))));
};

const DAY_MS = 24 * 60 * 60_000;

/** Of 127.0.0.1, signed by itself, so that no key lies in a file. */
export const selfSigned = (days: number) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const unsigned = sequence(
    der(EXPLICIT, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    nameOf('doctor.test'),
    sequence(utcTime(new Date(now - DAY_MS)), utcTime(new Date(now + days * DAY_MS))),
    nameOf('doctor.test'),
    publicKey.export({ type: 'spki', format: 'der' }),
    alternativeName('127.0.0.1'),
  );
  const signature = sign('sha256', unsigned, privateKey);
  const whole = sequence(unsigned, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
};
