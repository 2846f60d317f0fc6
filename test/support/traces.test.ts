import { describe, expect, test } from 'vitest';
import { asEscapes, tracesOf } from './traces.ts';

/** Other tests rely on this search to find secrets in logs. */
describe('a secret is found in a text', () => {
  const secret = 'Geheim+Ж/7?"\\x';

  test.each<[string, (text: string) => string]>([
    ['as it is', (text) => text],
    ['in lower case', (text) => text.toLowerCase()],
    ['in JSON', (text) => JSON.stringify({ a: `x${text}y` })],
    ['in escapes', asEscapes],
    // A line of a log in JSON with a body in JSON, which has the secret.
    ['in JSON in JSON', (text) => JSON.stringify(JSON.stringify({ a: text }))],
    ['in escapes in JSON', (text) => JSON.stringify(`{"a":"${asEscapes(text)}"}`)],
    ['in a URL', (text) => encodeURIComponent(text)],
    ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
    ['in base64', (text) => Buffer.from(text).toString('base64')],
    ['in base64 after one byte', (text) => Buffer.from(`x${text}yz`).toString('base64')],
    ['in base64 after two bytes', (text) => Buffer.from(`xy${text}z`).toString('base64')],
    ['in base64 for URLs', (text) => Buffer.from(`wms:${text}`).toString('base64url')],
  ])('%s', (_, written) => {
    expect(tracesOf(secret, `{"code":"x","what":"${written(secret)}"}`)).not.toEqual([]);
  });

  test('and not in a text without the secret', () => {
    expect(tracesOf(secret, 'Geheim and nothing more; R2VoZWlt')).toEqual([]);
  });
});
