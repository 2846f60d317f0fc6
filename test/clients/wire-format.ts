import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Outcome, programs } from './programs.ts';

const BALANCES = 'material-stock-balance';

/** Tests how each client library sends requests by default. */
export const describeWireFormat = (outcomeOf: (name: string) => Outcome) =>
  describe('on the wire', () => {
    const exchangesOf = (name: string, path = '') =>
      outcomeOf(name).recording.exchanges.filter(({ request }) => request.head.includes(`/${path}`));

    const requestsOf = (name: string, path = '') => exchangesOf(name, path).map(({ request }) => request);

    test.each(Object.keys(programs))('%s sends its GETs with the headers of the specification', (name) => {
      const gets = requestsOf(name).filter(({ head }) => head.startsWith('GET '));
      expect(gets.length).toBeGreaterThanOrEqual(2);
      for (const { headers } of gets) {
        expect(headers['content-type']).toMatch(/^application\/json/);
        expect(headers['content-length']).toBe('0');
      }
      for (const { headers } of requestsOf(name, 'changes'))
        expect(headers).toHaveProperty('accept-encoding', '');
    });

    test.each(['curl', 'PHP with libcurl'])(
      '%s sends Expect before a body over 1 MB, and waits for 100 Continue',
      (name) => {
        const expecting = requestsOf(name).filter(({ headers }) => headers['expect'] === '100-continue');
        const large = expecting.filter(({ body }) => body.byteLength > 2 ** 20);
        // One has credentials from the start. With --anyauth, one comes before the challenge and one after it.
        expect(large).toHaveLength(3);
        expect(outcomeOf(name).recording.bodiesHeldBack).toBe(expecting.length);
      },
    );

    test.each(['curl', 'PHP with libcurl'])('%s asks for gzip or deflate and unpacks the list', (name) => {
      const [exchange] = exchangesOf(name, 'material-codes');
      const coding = exchange?.answer.headers['content-encoding'];
      expect(coding).toMatch(/^(gzip|deflate)$/);
      expect(exchange?.request.headers['accept-encoding']).toContain(coding);
    });

    test('curl sends a gzip body', () => {
      const [packed] = requestsOf('curl', BALANCES).filter(
        ({ headers }) => headers['content-encoding'] === 'gzip',
      );
      expect(JSON.parse(gunzipSync(packed?.body ?? '').toString()).MaterialCodes).toHaveLength(200);
    });

    test.each([
      ['curl', 3],
      ['PHP with libcurl', 1],
      ['Python with urllib', 4],
    ])('%s sends credentials only after a 401', (name, times) => {
      const challenged = exchangesOf(name).filter(({ request }) => !request.headers['authorization']);
      expect(challenged).toHaveLength(times);
      for (const { status, answer } of challenged) {
        expect(status).toBe(401);
        expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="/);
      }
    });

    test.each([
      ['PHP with streams', '1.1'],
      ['PHP with streams in HTTP/1.0', '1.0'],
    ])('%s speaks HTTP/%s and closes each connection', (name, version) => {
      for (const { head, headers } of requestsOf(name)) {
        expect(head).toMatch(new RegExp(`^\\w+ \\S+ HTTP/${version}\r\n`));
        expect(headers['connection']).toBe('close');
      }
    });

    test.each(['PHP with libcurl', 'PHP with streams', 'Python with urllib'])(
      '%s escapes all but ASCII',
      (name) => {
        const sent = requestsOf(name, BALANCES)[0]?.body.toString() ?? '';
        expect(sent).toMatch(/^[\0-\x7f]+$/);
        expect(sent).toContain('\\u0421\\u0442\\u0430\\u043b\\u044c-10');
        expect(sent.includes('\\/')).toBe(name.startsWith('PHP'));
      },
    );

    test('Lua encodes an empty table as {} and every slash as \\/, and sends chunks without a length', () => {
      const [counted, chunked] = requestsOf('Lua with LuaSocket', BALANCES);
      expect(counted?.body.toString()).toContain('"PurchaseOrders":{}');
      expect(counted?.body.toString()).toContain('Сталь-10\\/А,0');
      expect(counted?.headers).toMatchObject({
        connection: 'close, TE',
        te: 'trailers',
        expect: '100-continue',
      });
      expect(chunked?.headers).toHaveProperty('transfer-encoding', 'chunked');
    });

    test('http.client keeps one connection, and sends a byte-order mark, raw UTF-8 and thousands of chunks', () => {
      const name = 'Python with http.client';
      expect(outcomeOf(name).recording.connections).toBe(1);
      const [counted, chunked] = requestsOf(name, BALANCES);
      expect(counted?.body.toString()).toMatch(/^\uFEFF\{.+Сталь-10\/А,0/);
      expect(chunked?.headers).toHaveProperty('transfer-encoding', 'chunked');
      expect(chunked?.body.toString().split('\r\n').length).toBeGreaterThan(4_000);
    });
  });
