import { randomBytes } from 'node:crypto';
import { operations } from '../../../shared/operations.ts';
import type { Check } from '../check.ts';
import { answered, CHALLENGE, expectChallenge, expectSuccess } from '../expectations.ts';
import { ok, Wrong } from '../outcome.ts';
import type { ProbeClient, Told } from '../probe-client.ts';

const STAGE = 'does --base-url end in the stage (/live)? is a firewall in front?';
const AUTHORIZER = "look into the authorizer's log, then deploy again";

const signedAs = (visit: ProbeClient, authorization: string) =>
  visit.send({ ...operations['get-purchase-orders'], authorization });

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

export const challenge: Check = {
  name: 'challenge',
  signsIn: false,
  run: async (visit) => {
    for (const operation of Object.values(operations)) {
      const body = operation.method === 'POST' ? '{}' : '';
      expectChallenge(await visit.send({ ...operation, body, authorization: null }), STAGE);
    }
    return ok(`401 with ${CHALLENGE}`);
  },
};

export const wrongPassword: Check = {
  name: 'wrong-password',
  signsIn: false,
  run: async (visit) => {
    const password = randomBytes(12).toString('hex');
    for (const username of [visit.service.username, `nobody-${password.slice(0, 6)}`]) {
      expectChallenge(await signedAs(visit, basic(`${username}:${password}`)), AUTHORIZER);
    }
    return ok('401 with the challenge, for an unknown user name, too');
  },
};

/** Few, since wrong credentials count for the alarms. */
const MALFORMED = ['Basic !!!', 'Bearer x'];

export const malformedCredentials: Check = {
  name: 'malformed-credentials',
  signsIn: false,
  run: async (visit) => {
    for (const header of MALFORMED) {
      const told = await signedAs(visit, header);
      expectChallenge({ ...told, to: `Authorization: ${header}` }, AUTHORIZER);
    }
    return ok(`401 with the challenge, for ${MALFORMED.length} kinds`);
  },
};

const expectSignedIn = (told: Told) => {
  if (told.status === 401) {
    throw new Wrong(
      'the user name and the password are refused (401)',
      'compare `npx warehouse-admin clients show NAME --reveal`; is this address in allowedCidrs?',
    );
  }
  if (told.status === 500) {
    throw new Wrong(answered(told), 'the authorizer fails: see its log, and its right to read the secrets');
  }
  expectSuccess(told, STAGE);
};

export const signIn: Check = {
  name: 'sign-in',
  signsIn: false,
  run: async (visit) => {
    const told = await visit.get('get-purchase-orders');
    expectSignedIn(told);
    return ok(`200 in ${told.milliseconds} ms`);
  },
};
