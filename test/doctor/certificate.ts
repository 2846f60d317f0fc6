import { generateKeyPairSync, sign } from 'node:crypto';
import { DAY_MS } from '../../shared/time.ts';

const SEQUENCE = 0x30;
const SET = 0x31;

/** Distinguished Encoding Rules: a tag, a length, the content. */
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

/** For localhost, signed by itself; so the project contains no key. */
export const selfSigned = (days: number) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const unsigned = sequence(
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    nameOf('localhost'),
    sequence(utcTime(new Date(now - DAY_MS)), utcTime(new Date(now + days * DAY_MS))),
    nameOf('localhost'),
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', unsigned, privateKey);
  const whole = sequence(unsigned, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
};
