import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeClients, encodeClients, userKeyOf } from '../../shared/clients.ts';

describe('the clients of a deployment', () => {
  it('are decoded in their order, with any characters in their names', () => {
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
    ['nothing', ''],
    ['names alone', 'wms'],
    ['a client without its secret', 'key:wms'],
    ['a client whose secret is empty', 'key:wms:'],
    ['a client with more than its secret', 'key:wms:secret:more'],
    ['a list that ends in the middle', 'key:wms:secret,'],
  ])('are not read from %s', (_, text) => {
    expect(() => decodeClients(text)).toThrow('The list of clients is damaged.');
  });
});

describe('the key of a user name', () => {
  it.each(['wms', 'DOMAIN\\user', 'Склад№1', '__proto__', 'u'.repeat(10_000)])(
    'is twelve characters and always the same (%#)',
    (username) => {
      expect(userKeyOf(username)).toMatch(/^[A-Za-z0-9_-]{12}$/);
      expect(userKeyOf(username)).toBe(userKeyOf(username));
    },
  );

  it.each([
    ['letter case', 'wms', 'WMS'],
    ['a space', 'wms', 'wms '],
    ['the way a letter is put together', 'й', 'и\u0306'],
    ['the script of a letter', 'a', 'а'],
  ])('differs with %s', (_, one, other) => {
    expect(userKeyOf(one)).not.toBe(userKeyOf(other));
  });
});
