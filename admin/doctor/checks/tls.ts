import { once } from 'node:events';
import { addAbortSignal } from 'node:stream';
import { connect, type SecureVersion } from 'node:tls';
import { DAY_MS } from '../../cli/time.ts';
import { CheckFailure, note, ok, skipped } from '../outcome.ts';
import { endpointOf } from '../probe/connection.ts';
import { codeOf } from '../probe/connection-failure.ts';
import type { ProbeClient } from '../probe/probe-client.ts';

const OLD_VERSIONS: SecureVersion[] = ['TLSv1', 'TLSv1.1'];
const VERSIONS: SecureVersion[] = [...OLD_VERSIONS, 'TLSv1.2', 'TLSv1.3'];
const MIN_DAYS = 14;
const ALLOW_1_2 = 'old clients know 1.2 at best: allow it (securityPolicy in infra/api/rest-api.ts)';
const RENEW = 'renew it; ACM renews by itself while the DNS record for its validation exists';

export const checkTls = async (client: ProbeClient) => {
  const { baseUrl, now } = client.session;
  if (!baseUrl.startsWith('https:')) return skipped('the base URL is http');
  const probes = await Promise.all(VERSIONS.map((version) => tryVersion(client, version)));
  const seen = probes
    .map(({ version, verdict }) => `${version.slice(4).padEnd(3, '.0')} ${verdict}`)
    .join(', ');
  const accepted = probes.filter(({ verdict }) => verdict === 'accepted');
  const usual = accepted.find(({ version }) => version === 'TLSv1.2');
  if (!usual) throw new CheckFailure(seen, ALLOW_1_2);
  const end = new Date(usual.endsAt);
  const lastDay = end.toISOString().slice(0, 10);
  const days = Math.floor((end.getTime() - now()) / DAY_MS);
  if (days < MIN_DAYS) throw new CheckFailure(`the certificate ends on ${lastDay}, in ${days} days`, RENEW);
  const summary = `${seen}; certificate until ${lastDay}`;
  return accepted.some(({ version }) => OLD_VERSIONS.includes(version))
    ? note(summary, 'a domain of your own (cdk.json) accepts only 1.2 and newer')
    : ok(summary);
};

/** Sends nothing. Whether the certificate is trusted is for `reach`. */
const tryVersion = async (client: ProbeClient, version: SecureVersion) => {
  try {
    const socket = connect({
      ...endpointOf(client.session.baseUrl),
      minVersion: version,
      maxVersion: version,
      rejectUnauthorized: false,
      // OpenSSL allows the old versions on its lowest level only.
      ...(OLD_VERSIONS.includes(version) ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
    });
    socket.on('error', () => {});
    addAbortSignal(client.signal, socket);
    await once(socket, 'secureConnect');
    const { valid_to: endsAt } = socket.getPeerCertificate();
    socket.destroy();
    return { version, verdict: 'accepted', endsAt };
  } catch (error) {
    if (client.signal.aborted) throw error;
    const isUnknownHere = codeOf(error).startsWith('ERR_SSL_NO_');
    return { version, verdict: isUnknownHere ? 'could not be tried' : 'refused', endsAt: '' };
  }
};
