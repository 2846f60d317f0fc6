import { edgeFaults } from './injected-faults-edge.ts';
import { operationFaults } from './injected-faults-operations.ts';
import type { Spoil } from './proxy.ts';
import { type Case, instead, isLost, json, LIMITED, one, to } from './spoiling.ts';

/** Each spoils one thing, which one check has to find. */
export const spoils: Case[] = [...edgeFaults, ...operationFaults];

/** What is no fault of the service's, and is said all the same. */
export const oddities: Case[] = [
  one(
    'http-1.0',
    'is not spoken',
    instead(({ httpVersion }) => httpVersion === '1.0', 'HTTP/1.1 505 HTTP Version Not Supported\r\n\r\n'),
    /answered 505: not spoken here; let such clients use 1\.1/,
  ),
  one(
    'expect-continue',
    'is passed over',
    { onExpect: () => {} },
    /no 100 Continue in 1 s.*; switch it off at the client: curl/,
  ),
];

/** Comes right after a few times. */
export const throttledAtFirst = (times: number): Spoil => {
  let left = times;
  return {
    reply: (asked, pass) => {
      if (!to('/changes')(asked) || left === 0) return pass();
      left -= 1;
      return LIMITED;
    },
  };
};

/** As the platform does where the catch-all is missing: it takes the header for a signature, and repeats it; here, at its beginning. */
export const repeatsCredentials: Spoil = {
  reply: (asked, pass) =>
    isLost(asked)
      ? json(403, { message: `${asked.headers.authorization} is no signature: 'Credential' is missing` })
      : pass(),
};

/** The base URL is right, and the credentials are not. */
export const refusesEverybody: Spoil = {
  reply: (_, pass) => pass({ headers: { authorization: 'Basic eDp5' } }),
};
