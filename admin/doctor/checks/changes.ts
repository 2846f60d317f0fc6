import type { Check } from '../check.ts';
import { expectChange, expectPlain, expectProblem } from '../expectations.ts';
import { ok } from '../outcome.ts';

const POST_CHANGE = 'compare with functions/post-change.ts, and deploy again';

export const change: Check = {
  name: 'change',
  signsIn: true,
  writes: { changes: 1 },
  run: async (visit) => {
    const Timestamp = visit.service.records.newTimestamp();
    const body = JSON.stringify({ Timestamp });
    const first = await visit.post('post-change', body);
    expectChange(first, Timestamp, POST_CHANGE);
    expectChange(await visit.post('post-change', body), Timestamp, POST_CHANGE);
    const last = await visit.post('post-change', body, { 'Accept-Encoding': '' });
    expectPlain(last);
    expectChange(last, Timestamp, POST_CHANGE);
    return ok(`200 with the Timestamp, again, and for an empty Accept-Encoding; ${first.milliseconds} ms`);
  },
};

export const wrongJson: Check = {
  name: 'wrong-json',
  signsIn: true,
  run: async (visit) => {
    const todo = 'compare with functions/http/json-body.ts, and deploy again';
    const told = await visit.post('post-change', '{"Timestamp": "2026-01-01T00:00:00,000Z"');
    const { detail } = expectProblem(told, 400, todo);
    expectProblem(await visit.post('post-change', ''), 400, todo);
    expectProblem(await visit.post('post-material-stock-balance', '{"MaterialCodes": [{]}'), 400, todo);
    return ok(`400 ${told.quote(String(detail))}`);
  },
};
