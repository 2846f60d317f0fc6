import fc from 'fast-check';
import { HEADER_MARKER } from './attempt.ts';

export const jsonTypes = fc.constantFrom('application/json', 'Application/JSON ; charset="UTF-8"');
export const otherTypes = fc.constantFrom('text/plain', 'text/json5', 'application/jsonx', 'json', '', '*/*');

/** No answer may depend on these headers, apart from its compression. */
export const harmless: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom('Accept', 'Accept-Encoding', 'Cookie', 'Origin', 'X-HTTP-Method-Override', '__proto__'),
  fc.oneof(
    fc.constantFrom('', '*/*', 'gzip', 'identity', `a=${HEADER_MARKER}`, 'DELETE', 'x'.repeat(3_000)),
    fc.string({ unit: fc.constantFrom(...'abc;,="\\{}%\t '), maxLength: 30 }),
  ),
  { maxKeys: 3 },
);

export const query = fc.oneof(
  fc.constant(''),
  fc.string({ unit: fc.constantFrom(...'abc=&%2F1[]?;+'), maxLength: 20 }).map((text) => `?${text}`),
);
