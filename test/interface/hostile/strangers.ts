import fc from 'fast-check';
import { wrongHeaders } from '../wrong-headers.ts';
import { type Attempt, authorizationOf, BALANCES, CHANGES, HEADER_MARKER, isList, LISTS } from './attempt.ts';
import { BODY_MARKER } from './documents.ts';

type Header = Required<Pick<Attempt, 'what' | 'authorization'>>;

const right: Header[] = [
  { what: 'the usual', authorization: authorizationOf },
  { what: 'in lower case', authorization: (own) => authorizationOf(own).replace('Basic', 'basic') },
  {
    what: 'in upper case, two blanks',
    authorization: (own) => authorizationOf(own).replace('Basic ', 'BASIC  '),
  },
  { what: 'without padding', authorization: (own) => authorizationOf(own).replace(/=+$/, '') },
];

/** Almost the right header. The credentials are known only when the request is sent. */
const nearly: fc.Arbitrary<Header> = fc
  .nat({ max: wrongHeaders({ username: '', password: '' }).length - 1 })
  .map((index) => ({
    what: `nearly right (${index})`,
    authorization: (own) => wrongHeaders(own)[index] ?? '',
  }));

const made: fc.Arbitrary<Header> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('warehouse', 'admin', '', 'Ж', '__proto__', HEADER_MARKER),
      fc.string({ maxLength: 12 }),
    )
    .map(([username, secret]) => ({
      what: `${username} and ${secret}`,
      authorization: () => authorizationOf({ username, password: HEADER_MARKER + secret }),
    })),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => ({
    what: `the bytes ${bytes}`,
    authorization: () => `Basic ${Buffer.from(bytes).toString('base64')}`,
  })),
  fc
    .string({ unit: 'grapheme-ascii', maxLength: 40 })
    .map((text) => ({ what: text, authorization: () => text })),
);

const header = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...right).map((chosen) => ({ ...chosen, isRight: true })) },
  { weight: 2, arbitrary: nearly.map((chosen) => ({ ...chosen, isRight: false })) },
  { weight: 3, arbitrary: made.map((chosen) => ({ ...chosen, isRight: false })) },
);

/** Requests with the right credentials, and many more with wrong ones. */
export const strangers = fc
  .tuple(header, fc.constantFrom(CHANGES, BALANCES, ...LISTS))
  .map(([{ what, authorization, isRight }, path]): Attempt => {
    const reads = isList(path);
    return {
      what: `${path} with credentials that are ${what}`,
      method: reads ? 'GET' : 'POST',
      path,
      headers: { 'Content-Type': 'application/json' },
      authorization,
      ...(reads ? {} : { body: Buffer.from(`{"${BODY_MARKER}":1}`) }),
      statuses: [isRight ? (reads ? 200 : 400) : 401],
    };
  });
