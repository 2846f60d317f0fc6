import { beforeAll, expect, test } from 'vitest';
import { editedAssembly, withoutAuthorizerCache } from '../support/assembly.ts';
import { basic } from '../support/http-client.ts';
import { faultyCalls, forgetClients, injectFaults, type LocalRun, startLocal } from '../support/local-run.ts';
import { expectOk, expectUnavailable, type FaultKind, faultOf, faults } from './faulty-run.ts';

export const SCAN = 'dynamodb:Scan';

/** The gateway calls the authorizer for each request. */
export const startWithoutCache = async () =>
  startLocal({ assemblyFolder: await editedAssembly(withoutAuthorizerCache) });

/** Faults of the authorizer's read of the table Clients. */
export const testFailingReads = (kinds: readonly FaultKind[], start = startWithoutCache) => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await start();
  });

  test.each(kinds)(
    'a read of the clients that is always %s causes a 503, also for a wrong password',
    async (kind) => {
      await forgetClients(run);
      await injectFaults(run, { clients: [faultOf(faults[kind], SCAN, 0)] });
      for (const authorization of [run.authorization(), basic('warehouse', 'wrong'), basic('nobody', 'any')])
        expectUnavailable(await run.get('purchase-orders', authorization));
    },
  );

  test.each(kinds)(
    'a read that is once %s is retried, and a process with a copy of the clients serves while every read is',
    async (kind) => {
      const fault = faultOf(faults[kind], SCAN, 0);
      await forgetClients(run);
      await injectFaults(run, { clients: [{ ...fault, times: 1 }] });
      expectOk(await run.get('purchase-orders'));
      expect(await faultyCalls(run)).toEqual([1]);
      await injectFaults(run, { clients: [fault] });
      expectOk(await run.get('purchase-orders'));
    },
  );
};
