import { randomBytes } from 'node:crypto';
import { operations } from '../../shared/operations.ts';
import { expecting, type Facts } from '../fact.ts';
import { basicCredentials, type Caller } from '../http/caller.ts';
import { DENIED, expects, SUCCESS } from '../http/expectations.ts';

/** A new wrong password each time, so that no cached policy decides. */
export const sendWrongPassword = (caller: Caller, userName = caller.login.userName) =>
  caller.getOrders({ authorization: basicCredentials(userName, randomBytes(12).toString('hex')) });

export const NOWHERE = { method: 'GET', path: '/rest/warehouse-control/nothing' };
const CHOSEN_ID = { 'x-amzn-RequestId': 'chosen-by-the-doctor' };

export const accessFacts: Facts = {
  reach: {
    text: 'the service responds',
    see: async (caller) => {
      const response = await caller.getOrders({ authorization: null });
      // Other facts judge a response that may come from the service itself.
      return { holds: ![403, 429].includes(response.status), seen: expects(response, SUCCESS).seen };
    },
    todo: 'look for a firewall or a proxy in front',
    blocks: { reason: 'the service is not reached (reach)' },
  },
  challenge: expecting(
    DENIED,
    (caller) =>
      Array.fromAsync(Object.values(operations), ({ method, path }) =>
        caller.send({ method, path, authorization: null }),
      ),
    { todo: 'deploy again (infra/api/gateway-responses.ts), or configure the proxy not to change it' },
  ),
  'wrong-password': expecting(
    DENIED,
    async (caller) => [await sendWrongPassword(caller), await sendWrongPassword(caller, 'nobody')],
    { todo: "look into the authorizer's log, then deploy again" },
  ),
  'sign-in': expecting(SUCCESS, (caller) => caller.getOrders(), {
    todo: 'see whether `npx warehouse-admin clients show NAME` has this user name and is not locked; for a lost password, `clients rotate NAME`; check that allowedCidrs has this address',
    // After any other status, such as that of a slow table, the other facts say more.
    blocks: { reason: 'the credentials do not work (sign-in)', status: 401 },
  }),
  'request-id': expecting(
    { isGatewaysId: true },
    async (caller) => [
      await caller.send({ ...NOWHERE, authorization: null, headers: CHOSEN_ID }),
      await caller.send({ ...NOWHERE, headers: CHOSEN_ID }),
      await caller.post('post-change', '', CHOSEN_ID),
    ],
    {
      text: "the gateway's, also if the client sends another one",
      todo: 'search the logs by the header x-amz-apigw-id, and correct infra/api/gateway-responses.ts or functions/http/request-fields.ts',
    },
  ),
};
