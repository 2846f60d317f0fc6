import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeClients, encodeClients, userKeyOf } from '../../shared/clients.ts';

describe('decodeClients', () => {
  it('returns the encoded clients in their order, with any characters in their names', () => {
    const text = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9._/+=@-]{1,64}$/),
      fc.constantFrom('__proto__', 'constructor', '0', '.'),
    );
    const client = fc.record({ userKey: text, name: text, secret: text }, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(client, { minLength: 1 }), (clients) => {
        expect(decodeClients(encodeClients(clients))).toEqual(clients);
      }),
    );
  });

  it.each([
    ['an empty text', ''],
    ['a client with only one field', 'wms'],
    ['a client without its secret', 'key:wms'],
    ['a client whose secret is empty', 'key:wms:'],
    ['a client with a fourth field', 'key:wms:secret:more'],
    ['a list that ends with a comma', 'key:wms:secret,'],
  ])('refuses %s', (_, text) => {
    expect(() => decodeClients(text)).toThrow('The list of clients is damaged.');
  });
});

it('userKeyOf returns the same twelve characters for the same user name, and others for another', () => {
  const keys = ['wms', 'WMS', 'wms ', 'й', 'и\u0306', '__proto__', 'u'.repeat(10_000)].map(userKeyOf);
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{12}$/);
  expect(new Set([...keys, userKeyOf('wms')]).size).toBe(keys.length);
});
