import { once } from 'node:events';
import { connect, type SecureVersion, type TLSSocket } from 'node:tls';
import { DAY_MS } from '../../cli/time.ts';
import type { Check } from '../check.ts';
import { endpointOf } from '../endpoint.ts';
import { note, notTried, ok, Wrong } from '../outcome.ts';
import type { ProbeClient } from '../probe-client.ts';

const OLD: SecureVersion[] = ['TLSv1', 'TLSv1.1'];
const VERSIONS: SecureVersion[] = [...OLD, 'TLSv1.2', 'TLSv1.3'];
const LEAST_DAYS = 14;

type Probe = {
  version: SecureVersion;
  verdict: 'accepted' | 'refused' | 'could not be tried';
  endsAt: string;
};

export const tls: Check = {
  name: 'tls',
  signsIn: false,
  run: async (visit) => {
    if (!visit.service.baseUrl.startsWith('https:')) return notTried('the base URL is http');
    const probes = await Promise.all(VERSIONS.map((version) => probe(visit, version)));
    const seen = probes.map(
      ({ version, verdict }) => `${version.replace(/v1$/, 'v1.0').slice(4)} ${verdict}`,
    );
    const accepted = probes.filter(({ verdict }) => verdict === 'accepted');
    const endsAt = accepted[0]?.endsAt ?? '';
    if (!accepted.some(({ version }) => version === 'TLSv1.2')) {
      throw new Wrong(
        seen.join(', '),
        'old clients speak 1.2 at best: allow it (securityPolicy in infra/api/rest-api.ts)',
      );
    }
    expectLife(endsAt, visit.service.now());
    const summary = `${seen.join(', ')}; certificate until ${dayOf(endsAt)}`;
    return accepted.some(({ version }) => OLD.includes(version))
      ? note(summary, 'a domain of your own (cdk.json) takes 1.2 and newer alone')
      : ok(summary);
  },
};

const expectLife = (endsAt: string, now: number) => {
  const days = Math.floor((Date.parse(endsAt) - now) / DAY_MS);
  if (days >= LEAST_DAYS) return;
  throw new Wrong(
    `the certificate ends on ${dayOf(endsAt)}, in ${days} days`,
    'renew it; ACM does so by itself while the DNS record that validates it stands',
  );
};

const dayOf = (endsAt: string) => {
  const end = new Date(endsAt);
  return Number.isNaN(end.getTime()) ? 'no day that it names' : end.toISOString().slice(0, 10);
};

const probe = async (visit: ProbeClient, version: SecureVersion): Promise<Probe> => {
  try {
    // Nothing is sent; whether the certificate is trusted is what `reach` tells.
    const socket = connect({
      ...endpointOf(visit.service.baseUrl),
      minVersion: version,
      maxVersion: version,
      rejectUnauthorized: false,
      // OpenSSL leaves the old versions out of all levels but the lowest.
      ...(OLD.includes(version) ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
    });
    return { version, verdict: 'accepted', endsAt: await endOfCertificate(socket, visit.signal) };
  } catch (error) {
    if (visit.signal.aborted) throw error;
    return { version, verdict: cannotSpeak(error) ? 'could not be tried' : 'refused', endsAt: '' };
  }
};

const endOfCertificate = async (socket: TLSSocket, signal: AbortSignal) => {
  socket.on('error', () => {});
  try {
    await once(socket, 'secureConnect', { signal });
    return socket.getPeerCertificate().valid_to;
  } finally {
    socket.destroy();
  }
};

/** It is this machine that does not speak the version. */
const cannotSpeak = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_SSL_NO_PROTOCOLS_AVAILABLE', 'ERR_SSL_NO_CIPHERS_AVAILABLE', 'ERR_SSL_NO_CIPHER_MATCH'].includes(
    String(error.code),
  );
