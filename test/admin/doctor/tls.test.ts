import { writeFileSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen } from '../../../local/http.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { selfSigned } from './certificate.ts';
import { diagnose, spawnDoctor, startBlindServer } from './doctor.ts';

/** Runs a server that answers 401 to everything. */
const withTlsServer = async <T>(options: ServerOptions, use: (baseUrl: string) => Promise<T>): Promise<T> => {
  const server = createServer(options, (incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(401).end();
  });
  const baseUrl = (await listen(server, 0)).replace('http://127.0.0.1', 'https://localhost');
  try {
    return await use(baseUrl);
  } finally {
    server.close();
    server.closeAllConnections();
  }
};

const OLD: ServerOptions = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };

const ALL_VERSIONS =
  /^ok +tls +negotiated 1\.3 with TLS_\w+; 1\.0 refused, 1\.1 refused, 1\.2 accepted, 1\.3 accepted; certificate until \d{4}-\d\d-\d\d$/;

test.each<[string, ServerOptions, number, RegExp]>([
  ['tls names the TLS versions and the negotiated one', {}, 300, ALL_VERSIONS],
  [
    'tls names the version that is negotiated',
    { maxVersion: 'TLSv1.2' },
    300,
    / negotiated 1\.2 with ECDHE-/,
  ],
  ['tls notes old versions', OLD, 300, /^note +tls +negotiated .*1\.0 accepted, 1\.1 accepted, .* proxy /],
  ['tls needs 1.2', { minVersion: 'TLSv1.3' }, 300, /^WRONG .* 1\.2 refused, 1\.3 accepted; .*rest-api\.ts/],
  ['tls needs 14 days of the certificate', {}, 5, /^WRONG .* certificate expires on .*, in 4 days; renew it/],
  ['reach needs a trusted certificate', {}, 300, /^WRONG .* does not trust the certificate .*NODE_EXTRA_CA/],
  ['reach needs a valid certificate', {}, -0.5, /^WRONG .* certificate/],
])('%s', async (title, options, days, line) => {
  const [check = ''] = title.split(' ');
  await withTlsServer({ ...selfSigned(days), ...options }, async (baseUrl) => {
    const { results } = await diagnose({ baseUrl, only: [check] });
    expect(results.get(check)?.line).toMatch(line);
  });
});

test('reach needs TLS for an https URL', async () => {
  const plain = await startBlindServer('HTTP/1.1 200 OK\r\n\r\n');
  const { results } = await diagnose({ baseUrl: plain.baseUrl.replace('http:', 'https:'), only: ['reach'] });
  await plain.stop();
  expect(results.get('reach')?.seen).toMatch(/does not speak the protocol .*; check --base-url: http or/);
});

test('NODE_EXTRA_CA_CERTS makes a certificate trusted', async () => {
  const pair = selfSigned(300);
  const file = join(temporaryFolder(), 'root.pem');
  writeFileSync(file, pair.cert);
  const env = { WAREHOUSE_PASSWORD: 'secret', NODE_EXTRA_CA_CERTS: file };
  const { code, stdout } = await withTlsServer(pair, (baseUrl) =>
    spawnDoctor(['--base-url', baseUrl, '--client', 'doctor', '--only', 'reach,http-1.0'], '', env),
  );
  expect(stdout).toMatch(/^ok +reach +answered 401 over HTTP\/1\.1/m);
  expect(stdout).toMatch(/^WRONG +http-1\.0 +answered 401 to HTTP\/1\.0/m);
  expect(code).toBe(1);
});
