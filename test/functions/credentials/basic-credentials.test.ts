import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBasic } from '../../../functions/credentials/basic-credentials.ts';

const base64 = (pair: string | Uint8Array) => Buffer.from(pair).toString('base64');

describe('parseBasic returns credentials', () => {
  const pair = base64('wms:open');
  it.each([
    `Basic ${pair}`,
    `basic ${pair}`,
    `bAsIc ${pair}`,
    `Basic   ${pair}  `,
    `Basic ${pair.replaceAll('=', '')}`,
  ])('from the header "%s"', (header) => {
    expect(parseBasic(header)).toEqual({ username: 'wms', password: 'open' });
  });

  it.each([
    ['Cyrillic letters', 'Склад№1', 'пароль'],
    ['a domain', 'DOMAIN\\user', 'secret'],
    ['colons in the password', 'wms', ':a:b::'],
    ['no password', 'wms', ''],
    ['spaces around', ' wms ', ' secret '],
    ['decomposed letters', 'и\u0306', 'e\u0301'],
    ['a byte-order mark', '\ufeffwms', '\ufeffsecret'],
    ['the name of a built-in property', '__proto__', 'constructor'],
  ])('with %s', (_, username, password) => {
    expect(parseBasic(`Basic ${base64(`${username}:${password}`)}`)).toEqual({ username, password });
  });

  it('exactly as they were sent', () => {
    const username = fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !name.includes(':'));
    const password = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(username, password, (username, password) => {
        expect(parseBasic(`Basic ${base64(`${username}:${password}`)}`)).toEqual({ username, password });
      }),
    );
  });
});

describe('parseBasic returns undefined', () => {
  it.each([
    ['an empty header', ''],
    ['only the scheme', 'Basic'],
    ['the scheme and a space', 'Basic '],
    ['no scheme', base64('wms:open')],
    ['no space after the scheme', `Basic${base64('wms:open')}`],
    ['a tab after the scheme', `Basic\t${base64('wms:open')}`],
    ['text before the scheme', `x Basic ${base64('wms:open')}`],
    ['another scheme', `Bearer ${base64('wms:open')}`],
    ['a longer scheme', `Basics ${base64('wms:open')}`],
    ['user name and password without base64', 'Basic wms:open'],
    ['characters that are not of base64', 'Basic d21z*m9wZW4='],
    ['the alphabet of base64url', `Basic ${Buffer.from('wms:~~~???').toString('base64url')}`],
    ['text after the padding', `Basic ${base64('wms:open')}x`],
    ['three signs of padding', `Basic ${base64('wms:open').replace(/=*$/, '===')}`],
    ['two pairs', `Basic ${base64('wms:open')} ${base64('wms:open')}`],
    ['two pairs with a comma', `Basic ${base64('wms:open')}, Basic ${base64('wms:open')}`],
    ['a line break at the end', `Basic ${base64('wms:open')}\n`],
    ['one character of base64', 'Basic d'],
    ['no colon', `Basic ${base64('wms')}`],
    ['no user name', `Basic ${base64(':open')}`],
    ['only a colon', `Basic ${base64(':')}`],
    ['Latin-1', `Basic ${base64(Buffer.from('grün:grün', 'latin1'))}`],
    ['an overlong colon', `Basic ${base64(Uint8Array.of(0x77, 0xc0, 0xba, 0x77, 0x3a, 0x77))}`],
    ['half of a character', `Basic ${base64(Buffer.from('wms:пароль').subarray(0, -1))}`],
    ['a lone surrogate', `Basic ${base64(Uint8Array.of(0x77, 0x3a, 0xed, 0xa0, 0x80))}`],
  ])('for %s', (_, header) => {
    expect(parseBasic(header)).toBeUndefined();
  });
});

it('parseBasic throws for no header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (sent) => {
      expect(() => parseBasic(sent)).not.toThrow();
      expect(() => parseBasic(`Basic ${sent}`)).not.toThrow();
    }),
  );
});
