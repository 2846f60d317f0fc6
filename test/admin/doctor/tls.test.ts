import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/assembly.ts';
import { selfSigned } from './certificate.ts';
import { doctor } from './command.ts';
import { consulted, startBlindServer, verdicts } from './consulted.ts';

/** An edge that answers anything with 401, for as long as a test needs it. */
const withEdge = async <T>(options: ServerOptions, use: (baseUrl: string) => Promise<T>): Promise<T> => {
  const server = createServer(options, (incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(401).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  try {
    return await use(`https://127.0.0.1:${address.port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
};

const OLD: ServerOptions = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };

const ofTls = (options: ServerOptions, days = 300) =>
  withEdge({ ...selfSigned(days), ...options }, async (baseUrl) => {
    const visit = await consulted({ baseUrl, only: ['tls'] });
    return verdicts(visit).get('tls')?.line;
  });

test('a certificate that nobody vouches for is told of, and the other checks are not tried', async () => {
  await withEdge(selfSigned(300), async (baseUrl) => {
    const found = [...verdicts(await consulted({ baseUrl })).values()];
    expect(found[0]?.line).toMatch(
      /^WRONG +reach .* does not trust the certificate .*; .*NODE_EXTRA_CA_CERTS/,
    );
    for (const { line } of found.slice(1))
      expect(line).toMatch(/^- .* not tried: the service is not reached/);
  });
});

test('a certificate that NODE_EXTRA_CA_CERTS names is trusted', async () => {
  const pair = selfSigned(300);
  const file = join(temporaryFolder(), 'root.pem');
  writeFileSync(file, pair.cert);
  const { code, stdout } = await withEdge(pair, (baseUrl) =>
    doctor(['--base-url', baseUrl, '--client', 'doctor', '--only', 'reach,tls,http-1.0'], {
      env: { WAREHOUSE_PASSWORD: 'secret', NODE_EXTRA_CA_CERTS: file },
    }),
  );
  expect(stdout).toMatch(/^ok +reach +answered 401 over HTTP\/1\.1/m);
  expect(stdout).toMatch(/^WRONG +http-1\.0 +answered 401 to HTTP\/1\.0/m);
  expect(code).toBe(1);
});

test('the versions of TLS that are spoken are named', async () => {
  expect(await ofTls({})).toMatch(
    /^ok +tls +1\.0 refused, 1\.1 refused, 1\.2 accepted, 1\.3 accepted; certificate until \d{4}-\d\d-\d\d$/,
  );
});

test('old versions that are spoken are a note', async () => {
  expect(await ofTls(OLD)).toMatch(/^note +tls +1\.0 accepted, 1\.1 accepted, .*; .*cdk\.json/);
});

test('an edge without 1.2 is wrong', async () => {
  expect(await ofTls({ minVersion: 'TLSv1.3' })).toMatch(
    /^WRONG +tls .* 1\.2 refused, 1\.3 accepted; .*rest-api\.ts/,
  );
});

test('a certificate that ends in a few days is wrong', async () => {
  expect(await ofTls({}, 5)).toMatch(/^WRONG +tls +the certificate ends on .*, in 4 days; renew it/);
});

test('a certificate that has ended, and a port that speaks no TLS, are told apart', async () => {
  await withEdge(selfSigned(-0.5), async (baseUrl) => {
    const visit = await consulted({ baseUrl, only: ['reach'] });
    expect(verdicts(visit).get('reach')?.words).toMatch(/certificate/);
  });
  const plain = await startBlindServer('HTTP/1.1 200 OK\r\n\r\n');
  const visit = await consulted({ baseUrl: plain.baseUrl.replace('http:', 'https:'), only: ['reach'] });
  await plain.stop();
  expect(verdicts(visit).get('reach')?.words).toMatch(/does not speak TLS .*; check https, host and port/);
});
