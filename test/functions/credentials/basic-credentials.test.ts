import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBasic } from '../../../functions/credentials/basic-credentials.ts';
import { anyCharacter } from '../../support/any-character.ts';

const base64 = (pair: string | Uint8Array) => Buffer.from(pair).toString('base64');
const pair = base64('wms:open');

describe('parseBasic returns credentials', () => {
  it.each([`bAsIc ${pair}`, `Basic   ${pair}  `, `Basic ${pair.replaceAll('=', '')}`])(
    'from the header "%s"',
    (header) => {
      expect(parseBasic(header)).toEqual({ userName: 'wms', password: 'open' });
    },
  );

  it('exactly as they were sent', () => {
    const userName = fc.string({ unit: anyCharacter, minLength: 1 }).filter((name) => !name.includes(':'));
    const password = fc.string({ unit: anyCharacter });
    fc.assert(
      fc.property(userName, password, (userName, password) => {
        expect(parseBasic(`Basic ${base64(`${userName}:${password}`)}`)).toEqual({ userName, password });
      }),
      {
        examples: [
          ['wms', ':a:b::'],
          ['Склад№1', ''],
          ['\ufeffwms ', ' e\u0301'],
          ['\u0000\uffff', '\u{10ffff}\r\n'],
        ],
      },
    );
  });
});

describe('parseBasic returns undefined', () => {
  it.each([
    ['an empty header', ''],
    ['only the scheme', 'Basic '],
    ['no scheme', pair],
    ['no space after the scheme', `Basic${pair}`],
    ['a tab after the scheme', `Basic\t${pair}`],
    ['text before the scheme', `x Basic ${pair}`],
    ['a longer scheme', `Basics ${pair}`],
    ['characters that are not of base64', 'Basic d21z*m9wZW4='],
    ['text after the padding', `Basic ${pair}x`],
    ['three signs of padding', `Basic ${pair.replace(/=*$/, '===')}`],
    ['two pairs', `Basic ${pair} ${pair}`],
    ['a line break at the end', `Basic ${pair}\n`],
    ['one character of base64', 'Basic d'],
    ['no colon', `Basic ${base64('wms')}`],
    ['no user name', `Basic ${base64(':open')}`],
    ['Latin-1', `Basic ${base64(Buffer.from('grün:grün', 'latin1'))}`],
    ['half of a character', `Basic ${base64(Buffer.from('wms:пароль').subarray(0, -1))}`],
  ])('for %s', (_, header) => {
    expect(parseBasic(header)).toBeUndefined();
  });
});
