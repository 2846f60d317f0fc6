import { once } from 'node:events';
import { addAbortSignal } from 'node:stream';
import { type ConnectionOptions, connect, type SecureVersion } from 'node:tls';
import { DAY_MS } from '../../cli/time.ts';
import { CheckFailure, note, ok, skipped } from '../outcome.ts';
import { endpointOf } from '../probe/connection.ts';
import { codeOf } from '../probe/connection-failure.ts';
import type { ProbeClient } from '../probe/probe-client.ts';

const SECURITY_POLICY = 'securityPolicy in infra/api/rest-api.ts';
const OLD_VERSIONS: SecureVersion[] = ['TLSv1', 'TLSv1.1'];
const VERSIONS: SecureVersion[] = [...OLD_VERSIONS, 'TLSv1.2', 'TLSv1.3'];
const MIN_DAYS = 14;
const ALLOW_1_2 = `old clients support no version above 1.2: allow 1.2 (${SECURITY_POLICY})`;
const REFUSE_OLD = `the service refuses versions below 1.2 (${SECURITY_POLICY}): look for a proxy in between; a new policy takes 15 minutes`;
const RENEW = 'renew it; ACM renews it automatically while the DNS record for its validation exists';

export const checkTls = async (client: ProbeClient) => {
  const { baseUrl, now } = client.session;
  if (!baseUrl.startsWith('https:')) return skipped('the base URL is http');
  const probes = await Promise.all(VERSIONS.map((version) => tryVersion(client, version)));
  const versions = probes.map(({ version, verdict }) => `${shortName(version)} ${verdict}`).join(', ');
  const seen = `${await describeHandshake(client)}; ${versions}`;
  const accepted = probes.filter(({ verdict }) => verdict === 'accepted');
  const usual = accepted.find(({ version }) => version === 'TLSv1.2');
  if (!usual) throw new CheckFailure(seen, ALLOW_1_2);
  const end = new Date(usual.endsAt);
  const lastDay = end.toISOString().slice(0, 10);
  const days = Math.floor((end.getTime() - now()) / DAY_MS);
  if (days < MIN_DAYS)
    throw new CheckFailure(`the certificate expires on ${lastDay}, in ${days} days`, RENEW);
  const summary = `${seen}; certificate until ${lastDay}`;
  return accepted.some(({ version }) => OLD_VERSIONS.includes(version))
    ? note(summary, REFUSE_OLD)
    : ok(summary);
};

const shortName = (version: string) => version.slice('TLSv'.length).padEnd(3, '.0');

/** The version and the cipher that this machine and the service choose when every version is allowed. */
const describeHandshake = async (client: ProbeClient) => {
  try {
    const { protocol, cipher } = await shakeHands(client, {});
    return `negotiated ${shortName(protocol)} with ${cipher}`;
  } catch (error) {
    if (client.signal.aborted) throw error;
    return 'nothing negotiated';
  }
};

const tryVersion = async (client: ProbeClient, version: SecureVersion) => {
  try {
    const { endsAt } = await shakeHands(client, {
      minVersion: version,
      maxVersion: version,
      // OpenSSL allows the old versions only at its lowest security level.
      ...(OLD_VERSIONS.includes(version) ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
    });
    return { version, verdict: 'accepted', endsAt };
  } catch (error) {
    if (client.signal.aborted) throw error;
    const isUnknownHere = codeOf(error).startsWith('ERR_SSL_NO_');
    return { version, verdict: isUnknownHere ? 'not supported by this machine' : 'refused', endsAt: '' };
  }
};

/** Sends nothing. The check `reach` verifies the certificate. */
const shakeHands = async (client: ProbeClient, options: ConnectionOptions) => {
  const socket = connect({ ...endpointOf(client.session.baseUrl), rejectUnauthorized: false, ...options });
  socket.on('error', () => {});
  addAbortSignal(client.signal, socket);
  await once(socket, 'secureConnect');
  const { valid_to: endsAt } = socket.getPeerCertificate();
  const { name: cipher } = socket.getCipher();
  const protocol = socket.getProtocol() ?? '';
  socket.destroy();
  return { protocol, cipher, endsAt };
};
