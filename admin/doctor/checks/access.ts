import { randomBytes } from 'node:crypto';
import { operations } from '../../../shared/operations.ts';
import { PROBLEM_CONTENT_TYPE } from '../../../shared/schemas/problem.ts';
import { CheckFailure, note, ok } from '../outcome.ts';
import { describeResponse, expectChallenge, expectSuccess, THROTTLED } from '../probe/expectations.ts';
import type { ProbeClient, ProbeResponse } from '../probe/probe-client.ts';

const NO_STAGE =
  'check that --base-url ends in the stage, such as /live (output BaseUrl); look for a firewall in front';
const FIREWALL = 'the firewall counted too many requests: wait, or raise firewall.requestsPerFiveMinutes';
const AUTHORIZER = "look into the authorizer's log, then deploy again";
const SECRETS_OR_TABLES = "look into the authorizer's log; without an error there, at the tables' throttles";

const sendWith = (client: ProbeClient, authorization: string | null) =>
  client.send({ ...operations['get-purchase-orders'], authorization });

/** Advice if the response comes from something in front of the stage. Other checks judge all other responses. */
const adviseOnReach = ({ status, headers, text }: ProbeResponse) => {
  if (status === 429) return THROTTLED;
  if (status === 403 && headers['content-type'] === PROBLEM_CONTENT_TYPE) return FIREWALL;
  // API Gateway's response to an address without a stage.
  return status === 403 && /^\{"message": ?"Forbidden"\}$/.test(text) ? NO_STAGE : undefined;
};

export const checkReach = async (client: ProbeClient) => {
  const response = await sendWith(client, null);
  const advice = adviseOnReach(response);
  if (advice) throw new CheckFailure(describeResponse(response), advice);
  return ok(`answered ${response.status} over HTTP/${response.httpVersion} in ${response.milliseconds} ms`);
};

const MAX_SKEW_MS = 60_000;
/** The Date header has whole seconds. */
const HALF_A_SECOND_MS = 500;

export const checkClock = async (client: ProbeClient) => {
  const { now } = client.session;
  const sentAt = now();
  const { headers } = await sendWith(client, null);
  const middle = (sentAt + now()) / 2;
  const skewMs = Date.parse(headers.date ?? '') + HALF_A_SECOND_MS - middle;
  if (Number.isNaN(skewMs)) return note('the response has no Date header', 'compare the clocks by hand');
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return ok(`within ${seconds} s of the clock of this machine`);
  throw new CheckFailure(
    `the server is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine`,
    'set the wrong clock by NTP: the clock of this machine or of a proxy in between',
  );
};

export const checkChallenge = async (client: ProbeClient) => {
  for (const { method, path } of Object.values(operations)) {
    expectChallenge(await client.send({ method, path, authorization: null }), NO_STAGE);
  }
  return ok('401 with the challenge on every operation');
};

export const checkWrongPassword = async (client: ProbeClient) => {
  const password = randomBytes(12).toString('hex');
  for (const username of [client.session.username, `nobody-${password.slice(0, 6)}`]) {
    const credentials = Buffer.from(`${username}:${password}`).toString('base64');
    expectChallenge(await sendWith(client, `Basic ${credentials}`), AUTHORIZER);
  }
  return ok('401 with the challenge, also for an unknown user name');
};

export const checkSignIn = async (client: ProbeClient) => {
  const response = await client.send(operations['get-purchase-orders']);
  if (response.status === 401) {
    throw new CheckFailure(
      'the user name and the password are refused (401)',
      'compare with `npx warehouse-admin clients show NAME --reveal`; check that allowedCidrs has this address',
    );
  }
  if (response.status === 503) throw new CheckFailure(describeResponse(response), SECRETS_OR_TABLES);
  expectSuccess(response, NO_STAGE);
  return ok(`200 in ${response.milliseconds} ms`);
};
