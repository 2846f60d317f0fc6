import { operations } from '../../../shared/operations.ts';
import type { Check } from '../check.ts';
import { expectChallenge, expectProblem } from '../expectations.ts';
import { ok } from '../outcome.ts';
import type { Request } from '../probe-client.ts';

const BELOW = '/rest/warehouse-control';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const lost = (method: string, path: string, type = JSON_TYPE): Request => ({
  method,
  path,
  headers: { 'Content-Type': type },
  ...(method === 'GET' ? {} : { body: type === FORM_TYPE ? 'a=1' : '{}' }),
});

/** Folders on the way, other methods of what exists, and what is nowhere: the gateway has each as a case of its own. */
const LOST: Request[] = [
  lost('GET', '/'),
  lost('GET', '/rest'),
  lost('GET', BELOW),
  lost('GET', `${BELOW}/nothing`),
  lost('POST', `${BELOW}/nothing`),
  lost('POST', `${BELOW}/nothing`, FORM_TYPE),
  lost('POST', '/nothing/at/all', FORM_TYPE),
  lost('GET', operations['post-change'].path),
  lost('DELETE', operations['get-material-codes'].path),
  lost('POST', operations['get-purchase-orders'].path, FORM_TYPE),
  lost('PUT', operations['post-material-stock-balance'].path),
];

const CATCH_ALL = 'deploy again: the catch-all is missing from the stage';

export const unknownPath: Check = {
  name: 'unknown-path',
  signsIn: true,
  run: async (visit) => {
    for (const request of LOST) expectProblem(await visit.send(request), 404, CATCH_ALL);
    return ok(`404 for ${LOST.length} paths and methods, form posts among them`);
  },
};

export const unknownPathStranger: Check = {
  name: 'unknown-path-stranger',
  signsIn: false,
  run: async (visit) => {
    for (const request of LOST) {
      expectChallenge(await visit.send({ ...request, authorization: null }), CATCH_ALL);
    }
    return ok(`401 with the challenge for all ${LOST.length} of them`);
  },
};
