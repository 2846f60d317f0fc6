import { once } from 'node:events';
import { addAbortSignal } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';
import { DAY_MS } from '../../admin/cli/time.ts';
import { adviseOr, type Fact, NotAsked } from '../fact.ts';
import type { Client } from '../http/client.ts';

// OpenSSL allows the old versions only at its lowest security level.
const OLD = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const MIN_DAYS = 14;
const LONG_ENOUGH = `valid for ${MIN_DAYS} days or more`;

/** Sends nothing. The fact `reach` verifies the certificate. Returns undefined if the service refuses. */
const shakeHands = async (client: Client, options: ConnectionOptions) => {
  if (!client.endpoint.isSecure) throw new NotAsked('the base URL is http');
  const socket = connect({ ...client.endpoint, rejectUnauthorized: false, ...options });
  socket.on('error', () => {});
  addAbortSignal(client.signal, socket);
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate();
  } catch (error) {
    if (client.signal.aborted) throw error;
    return undefined;
  } finally {
    socket.destroy();
  }
};

export const tlsFacts: readonly Fact[] = [
  {
    name: 'tls',
    text: 'accepts 1.2, refuses 1.0 and 1.1',
    see: async (client) => {
      const usual = await shakeHands(client, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
      const old = await shakeHands(client, OLD);
      return `${usual ? 'accepts' : 'refuses'} 1.2, ${old ? 'accepts 1.0 or 1.1' : 'refuses 1.0 and 1.1'}`;
    },
    advise: adviseOr(
      'old clients need 1.2 (securityPolicy in infra/api/rest-api.ts): look for a proxy in between; a new policy takes 15 minutes',
    ),
  },
  {
    name: 'certificate',
    text: LONG_ENOUGH,
    see: async (client) => {
      const { valid_to: end } = (await shakeHands(client, {})) ?? {};
      const days = end ? Math.floor((Date.parse(end) - Date.now()) / DAY_MS) : 0;
      return days >= MIN_DAYS ? LONG_ENOUGH : `expires in ${days} days`;
    },
    advise: adviseOr('renew it; ACM renews it automatically while the DNS record for its validation exists'),
  },
];
