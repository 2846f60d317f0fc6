import { randomBytes } from 'node:crypto';
import { operations } from '../../shared/operations.ts';
import { type Facts, responseFact } from '../fact.ts';
import { basicCredentials, type Caller } from '../http/caller.ts';
import { DENIED, observe, SUCCESS } from '../http/expectations.ts';

/** Each call sends a new wrong password, so that no cached policy decides. */
export const sendWrongPassword = (caller: Caller, userName = caller.login.userName) =>
  caller.getOrders({ authorization: basicCredentials(userName, randomBytes(12).toString('hex')) });

export const UNKNOWN_PATH = { method: 'GET', path: '/rest/warehouse-control/nothing' };
const CHOSEN_ID = { 'x-amzn-RequestId': 'chosen-by-the-doctor' };

export const accessFacts: Facts = {
  reach: {
    text: 'the service responds',
    check: async (caller) => {
      const response = await caller.getOrders({ authorization: null });
      // A 403 or a 429 can come from a firewall or a proxy. Later facts judge every other response.
      return { holds: ![403, 429].includes(response.status), seen: observe(response, SUCCESS).seen };
    },
    todo: 'look for a firewall or a proxy in front of the service',
    skipsLater: { reason: 'the service is not reached (reach)' },
  },
  challenge: responseFact(
    DENIED,
    (caller) =>
      Array.fromAsync(Object.values(operations), ({ method, path }) =>
        caller.send({ method, path, authorization: null }),
      ),
    { todo: 'deploy again (infra/api/gateway-responses.ts), or let the proxy keep WWW-Authenticate' },
  ),
  'wrong-password': responseFact(
    DENIED,
    async (caller) => [await sendWrongPassword(caller), await sendWrongPassword(caller, 'nobody')],
    { todo: "look into the authorizer's log, then deploy again" },
  ),
  'sign-in': responseFact(SUCCESS, (caller) => caller.getOrders(), {
    todo: 'see whether `npx warehouse-admin clients show NAME` has this user name and is not locked; for a lost password, `clients rotate NAME`; check that allowedCidrs has the IP address of this machine',
    // Another status, such as the 503 of a slow table, skipsLater no fact, because the later facts say more.
    skipsLater: { reason: 'the credentials do not work (sign-in)', status: 401 },
  }),
  'request-id': responseFact(
    { isGatewaysId: true },
    async (caller) => [
      await caller.send({ ...UNKNOWN_PATH, authorization: null, headers: CHOSEN_ID }),
      await caller.send({ ...UNKNOWN_PATH, headers: CHOSEN_ID }),
      await caller.post('post-change', '', CHOSEN_ID),
    ],
    {
      text: "the gateway's, also if the request has another id",
      todo: 'search the logs by the header x-amz-apigw-id, and correct infra/api/gateway-responses.ts or functions/http/request-fields.ts',
    },
  ),
};
