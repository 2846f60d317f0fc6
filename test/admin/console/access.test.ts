import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { dataFolder } from '../tables.ts';
import { sendRaw, startTestConsole, testSession } from './test-console.ts';

const session = await testSession(dataFolder({}));
const console = await startTestConsole(session);
const readOnly = await startTestConsole(session, { isReadOnly: true });
afterAll(() => Promise.all([console.stop(), readOnly.stop()]));

const page = '/console.css';
const { search } = new URL(console.printedLink);
const json = { 'Content-Type': 'application/json' };
const OPEN = 'Open the link that the command printed.';
const post = (headers: Record<string, string>, body: string | Buffer = '{}') =>
  console.send('/api/nothing', { method: 'POST', headers, body });

describe('the first address', () => {
  test('sets a cookie for this port and leaves the address bar', () => {
    const { status, headers } = console.opened;
    expect({ status, location: headers.location }).toEqual({ status: 302, location: '/' });
    const ofPort = `warehouse-console-${console.port}=[\\w-]{43}`;
    const cookie = new RegExp(`^${ofPort}; Path=/; HttpOnly; SameSite=Strict$`);
    expect(headers['set-cookie']).toEqual([expect.stringMatching(cookie)]);
    expect(console.cookie).not.toContain(new URL(console.printedLink).searchParams.get('key'));
  });

  test('works again in a second browser, and the one for the file works once', async () => {
    const open = async (address: string) =>
      (await sendRaw(console.port, `/${new URL(address).search}`)).status;
    expect(await open(console.printedLink)).toBe(302);
    const twice = [open(console.browserLink.url), open(console.browserLink.url)];
    expect(await Promise.all(twice)).toEqual([302, 403]);
    expect(await open(readOnly.printedLink)).toBe(403);
    expect((await console.send(`/${new URL(console.browserLink.url).search}`)).status).toBe(302);
  });

  test.each([
    ['no key', '/'],
    ['an empty key', '/?key='],
    ['a key in another case', `/${search.toUpperCase().replace('KEY', 'key')}`],
    ['a longer key', `/${search}A`],
    ['a key at another path', `/pages${search}`],
  ])('with %s is refused on a page that says what to do', async (_, path) => {
    const { status, headers, text } = await sendRaw(console.port, path);
    expect(status).toBe(403);
    expect(headers['content-type']).toBe('text/html; charset=UTF-8');
    expect(text).toContain(OPEN);
    expect(headers['set-cookie']).toBeUndefined();
  });
});

describe('a request with the cookie', () => {
  test('gets the page, also with a long query in the address, and HEAD its headers', async () => {
    const { status, text } = await console.send(`/?sql=${'x'.repeat(500_000)}`);
    expect(status).toBe(200);
    expect(text).toContain('<html data-read-only="false" lang="en">');
    expect(text).not.toMatch(/<script(?! src=)|<style|style=/);
    expect(await console.send('/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  test.each([
    ['another value', `${console.cookie.slice(0, -1)}_`],
    ['another case', console.cookie.toUpperCase()],
    ['no value', console.cookie.replace(/=.*/, '=')],
    ['the name of another port', console.cookie.replace(String(console.port), String(readOnly.port))],
    ['the cookie of another console', readOnly.cookie],
  ])('that has %s is refused', async (_, Cookie) => {
    const { status, text } = await console.send('/api/state', { headers: { Cookie } });
    expect({ status, text }).toEqual({ status: 403, text: expect.stringContaining(OPEN) });
  });

  test.each([
    ['a rebound name', ['warehouse.example']],
    ['a rebound name with the port', ['warehouse.example:PORT']],
    ['no port', ['127.0.0.1']],
    ['another port', ['127.0.0.1:1']],
    ['another address of this machine', ['127.0.0.2:PORT']],
    ['a name that another server may have at ::1', ['localhost:PORT']],
    ['a dot at the end', ['127.0.0.1.:PORT']],
    ['user information', ['a@127.0.0.1:PORT']],
    ['a second Host', ['127.0.0.1:PORT', 'warehouse.example']],
    ['a second Host first', ['warehouse.example', '127.0.0.1:PORT']],
    ['an empty Host', ['']],
  ])('to %s is refused', async (_, hosts) => {
    const named = hosts.flatMap((host) => ['Host', host.replace('PORT', String(console.port))]);
    const { status } = await sendRaw(console.port, page, { headers: [...named, 'Cookie', console.cookie] });
    expect([400, 403]).toContain(status);
  });

  test.each([
    ['another page', 'https://warehouse.example'],
    ['a page on another port', 'http://127.0.0.1:1'],
    ['the other name of this machine', 'http://localhost:PORT'],
    ['a page with TLS', 'https://127.0.0.1:PORT'],
    ['a sandboxed page', 'null'],
    ['an empty origin', ''],
  ])('from %s is refused', async (_, origin) => {
    const Origin = origin.replace('PORT', String(console.port));
    expect((await console.send(page, { headers: { Origin } })).status).toBe(403);
    expect((await post({ Origin, ...json })).status).toBe(403);
  });

  const followsLink = {
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  };

  test.each([
    ['/api/state', {}],
    ['/api/downloads/tables/balances?format=csv', {}],
    [page, {}],
    ['/', { 'Sec-Fetch-Dest': 'iframe' }],
    ['/', { 'Sec-Fetch-Mode': 'no-cors' }],
  ])('for %s that the browser marks as one of another page is refused: %o', async (path, more) => {
    for (const site of ['cross-site', 'same-site', 'unknown']) {
      const headers = { ...followsLink, ...more, 'Sec-Fetch-Site': site };
      expect((await console.send(path, { headers })).status).toBe(403);
    }
  });

  test('that follows a link of another page gets the page alone, with the cookie or without it', async () => {
    const withoutCookie = { headers: { ...followsLink, Cookie: '' } };
    const { status, text } = await console.send('/', withoutCookie);
    expect(status).toBe(200);
    expect((await console.send('/', { headers: followsLink })).text).toBe(text);
    expect((await console.send('/?key=wrong', withoutCookie)).status).toBe(200);
    const script = await console.send('/console.js', { headers: { Cookie: '' } });
    expect(script.status).toBe(200);
    const [licences] = script.text.split('*/');
    expect(licences).toMatch(/^\/\*!\n.*Jason Miller.*Mike Bostock/s);
  });

  test.each(['OPTIONS', 'PUT', 'DELETE', 'TRACE'])('with %s is refused', async (method) => {
    const { status, headers } = await console.send('/api/state', { method });
    expect([status, headers['access-control-allow-origin']]).toEqual([405, undefined]);
  });

  test.each([
    '/../package.json',
    '/..%2fpackage.json',
    '//warehouse.example/',
    '/\\..\\package.json',
    '/%00',
  ])('for %s finds nothing', async (path) => {
    expect([400, 404]).toContain((await console.send(path)).status);
  });

  test.each(['http://warehouse.example/', 'http://127.0.0.1:1/', 'https://127.0.0.1/'])(
    'for the absolute address %s is refused',
    async (target) => {
      expect([400, 403]).toContain((await console.send(target)).status);
    },
  );
});

describe('a request that writes', () => {
  const own = { Origin: console.origin };
  const as = (type: string) => ({ ...own, 'Content-Type': type });

  // The route is missing, so a request that passes the guard gets a 404.
  test.each<[what: string, status: number, headers: Record<string, string>]>([
    ['as JSON', 404, as('application/json; charset=utf-8')],
    ['as a file', 404, as('application/octet-stream')],
    ['without its origin', 403, json],
    ['as text', 415, as('text/plain')],
    ['as a form', 415, as('application/x-www-form-urlencoded')],
    ['as another type of JSON', 415, as('application/jsonx')],
    ['without a type', 415, own],
    ['without a length', 411, { ...as('application/json'), 'Transfer-Encoding': 'chunked' }],
  ])('%s gets a %i', async (_, status, headers) => {
    expect((await post(headers)).status).toBe(status);
  });

  test('is refused with --read-only, which the page knows', async () => {
    const headers = { Origin: readOnly.origin, ...json };
    const { status, text } = await readOnly.send('/api/nothing', { method: 'POST', headers, body: '{}' });
    expect(status).toBe(403);
    expect(JSON.parse(text).message).toContain('--read-only');
    expect((await readOnly.send('/')).text).toContain('data-read-only="true"');
  });

  test('is refused past 32 MB', async () => {
    expect((await post(as('application/octet-stream'), Buffer.alloc(33 * 1024 * 1024))).status).toBe(413);
  });
});

test('every response forbids scripts, frames and copies of other pages', async () => {
  const responses = [
    console.opened,
    await console.send('/'),
    await console.send(page),
    await console.send('/api/nothing'),
    await sendRaw(console.port, '/'),
    await sendRaw(console.port, page, { headers: { Host: 'warehouse.example' } }),
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
  const slow = await startTestConsole(session);
  const socket = connect(slow.port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}).resume();
  const own = [`Host: 127.0.0.1:${slow.port}`, `Cookie: ${slow.cookie}`, `Origin: ${slow.origin}`];
  const body = ['Content-Type: application/json', 'Content-Length: 9', '', '{"'];
  socket.write(['POST /api/nothing HTTP/1.1', ...own, ...body].join('\r\n'));
  expect((await slow.send(page)).status).toBe(200);
  await slow.stop();
  await closed;
});
