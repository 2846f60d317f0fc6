import { expect, test } from 'vitest';
import { adminHereOn } from '../admin/in-process.ts';
import { basic } from '../support/http-client.ts';
import { eventually, forgetClients } from '../support/local-run.ts';
import { expectOk, startWithoutCache } from './faulty-run.ts';

test('a rotation under load refuses no request with the previous password, or of another client', async () => {
  const run = await startWithoutCache();
  await adminHereOn(run.data, ['clients', 'add', 'other']);
  // The password from before the rotation.
  const senders = Object.entries(run.outputs().Clients).map(([userName, password]) => ({
    statuses: [] as number[],
    send: () => run.get('purchase-orders', basic(userName, password)),
  }));
  expect(senders).toHaveLength(2);
  await forgetClients(run);
  let isOver = false;
  const load = senders.map(async ({ statuses, send }) => {
    while (!isOver) statuses.push((await send()).status);
  });
  const tenMore = () => {
    const counts = senders.map(({ statuses }) => statuses.length + 10);
    return eventually(() => senders.every(({ statuses }, index) => statuses.length >= (counts[index] ?? 0)));
  };
  await tenMore();
  expect(await adminHereOn(run.data, ['clients', 'rotate', 'warehouse'])).toMatchObject({ code: 0 });
  await tenMore();
  isOver = true;
  await Promise.all(load);
  for (const { statuses } of senders) expect(new Set(statuses)).toEqual(new Set([200]));

  // A new process reads the new hash, too.
  await forgetClients(run);
  for (const { send } of senders) expectOk(await send());
  expectOk(await run.get('purchase-orders'));
});
