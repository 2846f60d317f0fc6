import { writeFileSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen } from '../../../local/http.ts';
import { selfSigned } from '../../support/certificate.ts';
import { temporaryFolder } from '../../support/local-assembly.ts';
import { diagnose, spawnDoctor, startBlindServer } from './doctor.ts';

/** Runs a server that answers 401 to everything. */
const withTlsServer = async <T>(options: ServerOptions, use: (baseUrl: string) => Promise<T>): Promise<T> => {
  const server = createServer(options, (incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(401).end();
  });
  const baseUrl = (await listen(server, 0)).replace('http:', 'https:');
  try {
    return await use(baseUrl);
  } finally {
    server.close();
    server.closeAllConnections();
  }
};

const OLD: ServerOptions = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };

const diagnoseTls = (options: ServerOptions, days = 300) =>
  withTlsServer({ ...selfSigned(days), ...options }, async (baseUrl) => {
    const { results } = await diagnose({ baseUrl, only: ['tls'] });
    return results.get('tls')?.line;
  });

const ALL_VERSIONS =
  /^ok +tls +1\.0 refused, 1\.1 refused, 1\.2 accepted, 1\.3 accepted; certificate until \d{4}-\d\d-\d\d$/;

test.each<[string, ServerOptions, number, RegExp]>([
  ['names the TLS versions', {}, 300, ALL_VERSIONS],
  ['notes old versions', OLD, 300, /^note +tls +1\.0 accepted, 1\.1 accepted, .*; .*cdk\.json/],
  ['needs 1.2', { minVersion: 'TLSv1.3' }, 300, /^WRONG +tls .* 1\.2 refused, 1\.3 accepted; .*rest-api\.ts/],
  ['needs 14 days of the certificate', {}, 5, /^WRONG +tls .* certificate ends on .*, in 4 days; renew it/],
])('tls %s', async (_, options, days, line) => {
  expect(await diagnoseTls(options, days)).toMatch(line);
});

test('a certificate that nobody vouches for fails reach, and no other check is tried', async () => {
  await withTlsServer(selfSigned(300), async (baseUrl) => {
    const [first, ...others] = [...(await diagnose({ baseUrl })).results.values()];
    expect(first?.line).toMatch(/^WRONG +reach .* does not trust the certificate .*NODE_EXTRA_CA_CERTS/);
    for (const { seen } of others) expect(seen).toMatch(/^not tried: the service is not reached/);
  });
});

test('NODE_EXTRA_CA_CERTS makes a certificate trusted', async () => {
  const pair = selfSigned(300);
  const file = join(temporaryFolder(), 'root.pem');
  writeFileSync(file, pair.cert);
  const { code, stdout } = await withTlsServer(pair, (baseUrl) =>
    spawnDoctor(['--base-url', baseUrl, '--client', 'doctor', '--only', 'reach,tls,http-1.0'], {
      env: { WAREHOUSE_PASSWORD: 'secret', NODE_EXTRA_CA_CERTS: file },
    }),
  );
  expect(stdout).toMatch(/^ok +reach +answered 401 over HTTP\/1\.1/m);
  expect(stdout).toMatch(/^WRONG +http-1\.0 +answered 401 to HTTP\/1\.0/m);
  expect(code).toBe(1);
});

test('reach names an expired certificate, and a port without TLS', async () => {
  await withTlsServer(selfSigned(-0.5), async (baseUrl) => {
    const { results } = await diagnose({ baseUrl, only: ['reach'] });
    expect(results.get('reach')?.seen).toMatch(/certificate/);
  });
  const plain = await startBlindServer('HTTP/1.1 200 OK\r\n\r\n');
  const { results } = await diagnose({ baseUrl: plain.baseUrl.replace('http:', 'https:'), only: ['reach'] });
  await plain.stop();
  expect(results.get('reach')?.seen).toMatch(
    /does not speak the protocol .*; check --base-url: http or https/,
  );
});
