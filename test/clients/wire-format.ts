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

    test.each([
      [
        'PHP with streams',
        0,
        / HTTP\/1\.1\r\n(?:.*\r\n)*connection: close\r\n/i,
        /\\u0421\\u0442.*"OT\d{7}"/,
      ],
      ['PHP with streams in HTTP/1.0', 0, / HTTP\/1\.0\r\n/, /\\u0421\\u0442/],
      ['Lua with LuaSocket', 0, /te: trailers\r\n/i, /Сталь-10\\\/А,0.*"PurchaseOrders":\{\}/s],
      ['Lua with LuaSocket', 1, /transfer-encoding: chunked\r\n/i, /^/],
      ['Python with http.client', 0, /^POST /, /^\uFEFF\{.+Сталь-10\/А,0/],
      ['Python with http.client', 1, /transfer-encoding: chunked\r\n/i, /(?:\r\n.*){4000}/],
    ])('%s sends its batch %i in its own way', (name, index, head, body) => {
      const sent = requestsOf(name, BALANCES).at(index);
      expect(sent?.head).toMatch(head);
      expect(sent?.body.toString()).toMatch(body);
    });

    test('curl sends a gzip body', () => {
      const [packed] = requestsOf('curl', BALANCES).filter(
        ({ headers }) => headers['content-encoding'] === 'gzip',
      );
      expect(JSON.parse(gunzipSync(packed?.body ?? '').toString()).MaterialCodes).toHaveLength(200);
    });
  });
