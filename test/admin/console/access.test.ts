import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/local-run.ts';
import { emptyDeployment } from '../tables.ts';
import { holdProcess, sendRaw, startTestConsole, watchProcesses } from './test-console.ts';

const { data } = await emptyDeployment();
const console = await startTestConsole(data);
let stopped: Promise<void> | undefined;
afterAll(() => stopped ?? console.stop());
const { port, origin, cookie, send } = console;
const { search } = new URL(console.printedLink);
const opening = new URL(console.browserLink.url).search;
const ofPort = (text: string) => text.replace('PORT', String(port));

const json = { 'Content-Type': 'application/json' };
const FILE = '/console.css';
const OPEN = 'Open the link that the command printed.';

test('the console responds while it bundles its page', async () => {
  const started = watchProcesses();
  const bundled = send('/console.js');
  await eventually(() => started().length === 1);
  const [esbuild] = started();
  holdProcess(esbuild);
  expect((await send('/api/query/help')).status).toBe(200);
  process.kill(Number(esbuild), 'SIGCONT');
  expect((await bundled).status).toBe(200);
});

test('the script of the page begins with the licences of what is bundled', async () => {
  const [licences] = (await send('/console.js')).text.split('*/');
  expect(licences).toMatch(/^\/\*!\n.*Jason Miller.*Mike Bostock/s);
});

describe('the first address', () => {
  test('sets a cookie for this port, without the key, and leaves the address bar', () => {
    const { status, headers } = console.opened;
    expect({ status, location: headers.location }).toEqual({ status: 302, location: '/' });
    const set = new RegExp(`^warehouse-console-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`);
    expect(headers['set-cookie']).toEqual([expect.stringMatching(set)]);
    expect(cookie).not.toContain(search.slice('?key='.length));
  });

  test('works again in a second browser, and the one for the file works once', async () => {
    const open = async (key: string) => (await sendRaw(port, `/${key}`)).status;
    expect(await open(search)).toBe(302);
    expect(await Promise.all([open(opening), open(opening)])).toEqual([302, 403]);
    expect((await send(`/${opening}`)).status).toBe(302);
  });

  test.each([
    ['no key', '/'],
    ['an empty key', '/?key='],
    ['a key in another case', `/${search.toUpperCase().replace('KEY', 'key')}`],
    ['a longer key', `/${search}A`],
    ['a key at another path', `/pages${search}`],
  ])('with %s is refused on a page that says what to do', async (_, path) => {
    const { status, headers, text } = await sendRaw(port, path);
    expect([status, headers['content-type'], headers['set-cookie']]).toEqual([
      403,
      'text/html; charset=UTF-8',
      undefined,
    ]);
    expect(text).toContain(OPEN);
  });
});

describe('a request', () => {
  test('with the cookie gets the page, also with a long query in the address, and HEAD its headers', async () => {
    const { status, text } = await send(`/?sql=${'x'.repeat(500_000)}`);
    expect(status).toBe(200);
    expect(text).toContain('<html data-read-only="false" lang="en">');
    expect(text).not.toMatch(/<script(?! src=)|<style|style=/);
    const { headers, ...head } = await send('/', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=UTF-8');
  });

  const followsLink = {
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  };

  test('that follows a link of another page gets the page alone, with the cookie or without it', async () => {
    const withoutCookie = { headers: { ...followsLink, Cookie: '' } };
    const { status, text } = await send('/', withoutCookie);
    expect(status).toBe(200);
    expect((await send('/', { headers: followsLink })).text).toBe(text);
    expect((await send('/?key=wrong', withoutCookie)).status).toBe(200);
    const script = await send('/console.js', { headers: { Cookie: '' } });
    expect(script.status).toBe(200);
  });

  const hosts = [
    ...['warehouse.example', 'warehouse.example:PORT', '127.0.0.1', '127.0.0.1:1', '127.0.0.2:PORT'],
    // Another server may have this name at ::1.
    ...['localhost:PORT', '127.0.0.1.:PORT', 'a@127.0.0.1:PORT', ''],
    ...['127.0.0.1:PORT warehouse.example', 'warehouse.example 127.0.0.1:PORT'],
  ];
  test.each(hosts)('to the host "%s" is refused', async (names) => {
    const named = names.split(' ').flatMap((host) => ['Host', ofPort(host)]);
    const { status } = await sendRaw(port, FILE, { headers: [...named, 'Cookie', cookie] });
    expect([400, 403]).toContain(status);
  });

  test.each([
    ...['http://warehouse.example/', 'http://127.0.0.1:1/', 'https://127.0.0.1/', '//warehouse.example/'],
    ...['/../package.json', '/..%2fpackage.json', '/\\..\\package.json', '/%00'],
  ])('for the address %s gets nothing', async (target) => {
    expect([400, 403, 404]).toContain((await send(target)).status);
  });

  const cookies = {
    'another value': `${cookie.slice(0, -1)}_`,
    'another case': cookie.toUpperCase(),
    'no value': cookie.replace(/=.*/, '='),
    'the name of another port': cookie.replace(String(port), String(port - 1)),
  };
  const origins = [
    ...['https://warehouse.example', 'http://127.0.0.1:1', 'http://localhost:PORT'],
    ...['https://127.0.0.1:PORT', 'null', ''],
  ];
  type Refused = [what: string, target: string, headers: Record<string, string>];
  test.each<Refused>([
    ...Object.entries(cookies).map(([what, Cookie]): Refused => [`with ${what}`, '/api/state', { Cookie }]),
    ...origins.map((page): Refused => [`from "${page}"`, FILE, { Origin: ofPort(page) }]),
    ...['/api/state', '/api/downloads/tables/balances?format=csv', FILE].map(
      (target): Refused => [`by a link to ${target}`, target, followsLink],
    ),
    ['by a link of another port', FILE, { ...followsLink, 'Sec-Fetch-Site': 'same-site' }],
    ['with an unknown mark', FILE, { ...followsLink, 'Sec-Fetch-Site': 'unknown' }],
    ['of a frame', '/', { ...followsLink, 'Sec-Fetch-Dest': 'iframe' }],
    ['that is no navigation', '/', { ...followsLink, 'Sec-Fetch-Mode': 'no-cors' }],
  ])('%s is refused', async (_, target, headers) => {
    expect((await send(target, { headers })).status).toBe(403);
  });

  test.each(['OPTIONS', 'PUT', 'DELETE', 'TRACE'])('with %s is refused', async (method) => {
    const { status, headers } = await send('/api/state', { method });
    expect([status, headers['access-control-allow-origin']]).toEqual([405, undefined]);
  });
});

const own = { Origin: origin };
const as = (type: string) => ({ ...own, 'Content-Type': type });

// The route is missing, so a request that passes the guard gets a 404.
test.each<[what: string, status: number, headers: Record<string, string>, body?: Buffer]>([
  ['as JSON', 404, as('application/json; charset=utf-8')],
  ['as a file', 404, as('application/octet-stream')],
  ['without its origin', 403, json],
  ['from another page', 403, { ...json, Origin: 'https://warehouse.example' }],
  ['as text', 415, as('text/plain')],
  ['as a form', 415, as('application/x-www-form-urlencoded')],
  ['as another type of JSON', 415, as('application/jsonx')],
  ['without a type', 415, own],
  ['without a length', 411, { ...as('application/json'), 'Transfer-Encoding': 'chunked' }],
  ['of 32 MB', 404, as('application/octet-stream'), Buffer.alloc(32 * 1024 * 1024)],
  ['of more than 32 MB', 413, as('application/octet-stream'), Buffer.alloc(32 * 1024 * 1024 + 1)],
])('a request that writes %s gets a %i', async (_, status, headers, body) => {
  expect((await send('/api/nothing', { method: 'POST', headers, body: body ?? '{}' })).status).toBe(status);
});

test('every response forbids scripts, frames and copies of other pages', async () => {
  const responses = [
    console.opened,
    await send('/'),
    await send(FILE),
    await send('/api/nothing'),
    await sendRaw(port, '/'),
    await sendRaw(port, FILE, { headers: { Host: 'warehouse.example' } }),
  ];
  const loading = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'`;
  const others = `img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`;
  for (const { headers } of responses) {
    expect(headers).toMatchObject({
      'content-security-policy': `${loading}; ${others}`,
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('a body that never ends holds neither other requests nor the end of the console', async () => {
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close');
  socket.on('error', () => {}).resume();
  const headers = [`Host: 127.0.0.1:${port}`, `Cookie: ${cookie}`, `Origin: ${origin}`];
  const body = ['Content-Type: application/json', 'Content-Length: 9', '', '{"'];
  socket.write(['POST /api/nothing HTTP/1.1', ...headers, ...body].join('\r\n'));
  expect((await send(FILE)).status).toBe(200);
  stopped = console.stop();
  await stopped;
  await closed;
});
