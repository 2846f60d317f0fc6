import fc from 'fast-check';
import { HEADER_MARKER } from './attempt.ts';

export const jsonTypes = fc.constantFrom(
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json ; charset="UTF-8"',
);
export const otherTypes = fc.constantFrom(
  'text/plain',
  'application/x-www-form-urlencoded',
  'text/json5',
  'application/jsonx',
  'json',
  '',
  'application/xml',
  '*/*',
);

/** Of none of these may an answer depend, apart from its packing. */
export const harmless: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(
    'Accept',
    'Accept-Encoding',
    'User-Agent',
    'Cookie',
    'X-Forwarded-For',
    'X-HTTP-Method-Override',
    'Origin',
    'Range',
    '__proto__',
  ),
  fc.oneof(
    fc.constantFrom(
      '',
      '*/*',
      'gzip',
      'identity',
      `a=${HEADER_MARKER}`,
      '127.0.0.1',
      'DELETE',
      'x'.repeat(3_000),
    ),
    fc.string({ unit: fc.constantFrom(...'abc;,="\\{}%\t '), maxLength: 30 }),
  ),
  { maxKeys: 3 },
);

export const query = fc.oneof(
  fc.constant(''),
  fc.string({ unit: fc.constantFrom(...'abc=&%2F1[]?;+'), maxLength: 20 }).map((text) => `?${text}`),
);
