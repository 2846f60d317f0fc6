import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { operations } from '../../../shared/operations.ts';
import { jsonOf } from '../bodies.ts';
import type { Check } from '../check.ts';
import { expectChange, expectSuccess } from '../expectations.ts';
import { ok } from '../outcome.ts';

const HEADERS = 'find the proxy that goes by the letter case of header names';

export const headerCase: Check = {
  name: 'header-case',
  signsIn: true,
  writes: { changes: 1 },
  run: async (visit) => {
    const { authorization, records } = visit.service;
    const Timestamp = records.newTimestamp();
    const told = await visit.post('post-change', jsonOf({ Timestamp }), {
      AUTHORIZATION: authorization,
      'content-TYPE': 'application/json',
      'CONTENT-length': String(Buffer.byteLength(jsonOf({ Timestamp }))),
    });
    expectChange(told, Timestamp, HEADERS);
    return ok('200 for AUTHORIZATION, content-TYPE and CONTENT-length');
  },
};

const CLOSED = 'look at time-outs of a proxy or load balancer in between';

/** Where a connection is kept, the second request must not meet what is left of the first. */
export const keptConnection: Check = {
  name: 'kept-connection',
  signsIn: true,
  run: async (visit) => {
    const kind = visit.service.baseUrl.startsWith('https:') ? SecureAgent : Agent;
    const agent = new kind({ keepAlive: true, maxSockets: 1 });
    try {
      const request = { ...operations['get-purchase-orders'], agent };
      const first = await visit.send(request);
      expectSuccess(first, CLOSED);
      expectSuccess(await visit.send(request), CLOSED);
      const kept = first.headers.connection?.toLowerCase() !== 'close';
      return ok(`two requests, two answers${kept ? '' : '; the service closes after each'}`);
    } finally {
      agent.destroy();
    }
  },
};
