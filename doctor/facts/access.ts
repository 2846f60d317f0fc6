import { randomBytes } from 'node:crypto';
import { operations } from '../../shared/operations.ts';
import { describedAs, type Facts } from '../fact.ts';
import { basicCredentials, type Caller, type Response } from '../http/caller.ts';
import { describe, describeChallenge } from '../http/describe.ts';

const REFUSED = '401 with the challenge';

/** A new wrong password each time, so that no cached policy decides. */
export const sendWrongPassword = (caller: Caller, userName = caller.login.userName) =>
  caller.getOrders({ authorization: basicCredentials(userName, randomBytes(12).toString('hex')) });

/** The only description, or all if they differ. */
const joinDistinct = (descriptions: readonly string[]) => [...new Set(descriptions)].join(', ');

export const NOWHERE = { method: 'GET', path: '/rest/warehouse-control/nothing' };
const CHOSEN_ID = { 'x-amzn-RequestId': 'chosen-by-the-doctor' };

const GATEWAYS = "the gateway's";
const idOf = ({ json, headers }: Response) => {
  const id = json['requestId'];
  if (!id) return 'no requestId';
  return id === headers['x-amz-apigw-id'] ? GATEWAYS : 'another';
};

export const accessFacts: Facts = {
  reach: {
    text: 'the service responds',
    see: async (caller) => {
      const response = await caller.getOrders({ authorization: null });
      // Other facts judge a response that may come from the service itself.
      return { holds: ![403, 429].includes(response.status), seen: describe(response) };
    },
    todo: 'look for a firewall or a proxy in front',
    blocks: { reason: 'the service is not reached (reach)' },
  },
  challenge: {
    ...describedAs(REFUSED, async (caller) => {
      const seen: string[] = [];
      for (const { method, path } of Object.values(operations)) {
        seen.push(describeChallenge(await caller.send({ method, path, authorization: null })));
      }
      return joinDistinct(seen);
    }),
    todo: 'deploy again (infra/api/gateway-responses.ts), or configure the proxy not to change it',
  },
  'wrong-password': {
    ...describedAs(REFUSED, async (caller) => {
      const known = describeChallenge(await sendWrongPassword(caller));
      return joinDistinct([known, describeChallenge(await sendWrongPassword(caller, 'nobody'))]);
    }),
    todo: "look into the authorizer's log, then deploy again",
  },
  'sign-in': {
    ...describedAs('200 application/json', async (caller) => describe(await caller.getOrders())),
    todo: 'see whether `npx warehouse-admin clients show NAME` has this user name and is not locked; for a lost password, `clients rotate NAME`; check that allowedCidrs has this address',
    // After any other status, such as that of a slow table, the other facts say more.
    blocks: { reason: 'the credentials do not work (sign-in)', status: 401 },
  },
  'request-id': {
    text: `${GATEWAYS}, also if the client sends another one`,
    see: async (caller) => {
      const denied = await caller.send({ ...NOWHERE, authorization: null, headers: CHOSEN_ID });
      const unknown = await caller.send({ ...NOWHERE, headers: CHOSEN_ID });
      const refused = await caller.post('post-change', '', CHOSEN_ID);
      const seen = joinDistinct([denied, unknown, refused].map(idOf));
      return { holds: seen === GATEWAYS, seen };
    },
    todo: 'search the logs by the header x-amz-apigw-id, and correct infra/api/gateway-responses.ts or functions/http/request-log.ts',
  },
};
