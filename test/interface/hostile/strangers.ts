import fc from 'fast-check';
import {
  type Attempt,
  authorizationOf,
  BALANCES,
  base64,
  CHANGES,
  type Credentials,
  HEADER_MARKER,
  isList,
  LISTS,
} from './attempt.ts';
import { BODY_MARKER } from './documents.ts';

type Header = Required<Pick<Attempt, 'what' | 'authorization'>>;

/** In every way that the scheme can be written. */
const right: Header[] = [
  { what: 'the usual', authorization: authorizationOf },
  { what: 'in lower case', authorization: (own) => authorizationOf(own).replace('Basic', 'basic') },
  {
    what: 'in upper case, two blanks',
    authorization: (own) => authorizationOf(own).replace('Basic ', 'BASIC  '),
  },
  { what: 'without padding', authorization: (own) => authorizationOf(own).replace(/=+$/, '') },
];

const pairOf = ({ username, password }: Credentials) => `${username}:${password}`;

/** Near to the right ones, and none of them right. */
const nearly: Header[] = [
  { what: 'another scheme', authorization: (own) => authorizationOf(own).replace('Basic', 'Digest') },
  { what: 'no scheme', authorization: (own) => base64(pairOf(own)) },
  { what: 'the scheme alone', authorization: () => 'Basic' },
  { what: 'no blank', authorization: (own) => authorizationOf(own).replace(' ', '') },
  { what: 'twice in one', authorization: (own) => `${authorizationOf(own)} ${base64(pairOf(own))}` },
  { what: 'twice, with a comma', authorization: (own) => `${authorizationOf(own)}, ${authorizationOf(own)}` },
  { what: 'not encoded', authorization: (own) => `Basic ${pairOf(own)}` },
  {
    what: 'a blank behind the password',
    authorization: (own) => authorizationOf({ ...own, password: `${own.password} ` }),
  },
  {
    what: 'a NUL behind the password',
    authorization: (own) => authorizationOf({ ...own, password: `${own.password}\0` }),
  },
  {
    what: 'half of the password',
    authorization: (own) => authorizationOf({ ...own, password: own.password.slice(1) }),
  },
  { what: 'no password', authorization: ({ username }) => `Basic ${base64(`${username}:`)}` },
  { what: 'no colon', authorization: ({ username, password }) => `Basic ${base64(username + password)}` },
  { what: 'no user', authorization: ({ password }) => `Basic ${base64(`:${password}`)}` },
  { what: 'a colon before', authorization: (own) => `Basic ${base64(`:${pairOf(own)}`)}` },
  { what: 'a blank before', authorization: (own) => `Basic ${base64(` ${pairOf(own)}`)}` },
  {
    what: 'upper case',
    authorization: (own) => authorizationOf({ ...own, username: own.username.toUpperCase() }),
  },
];

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
  { weight: 1, arbitrary: fc.constantFrom(...right).map((each) => ({ ...each, isRight: true })) },
  { weight: 2, arbitrary: fc.constantFrom(...nearly).map((each) => ({ ...each, isRight: false })) },
  { weight: 3, arbitrary: made.map((each) => ({ ...each, isRight: false })) },
);

/** Headers that stand for a client, and many that do not. */
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
