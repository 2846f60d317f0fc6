import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editedAssembly, temporaryFolder } from '../support/assembly.ts';
import { basic, send } from '../support/http-client.ts';
import { startLocal } from '../support/local-run.ts';
import { scriptFunctions } from './scripted-functions.ts';

/** A module that sets the wall clock of a process back by an hour at SIGUSR2. */
const SET_BACK = `
const now = Date.now;
process.on('SIGUSR2', () => { Date.now = () => now() - 3_600_000; });`;

test('a clock that is set back stops neither the throttle nor the age of a cached policy', async () => {
  const preload = join(temporaryFolder(), 'set-back.mjs');
  writeFileSync(preload, SET_BACK);
  const run = await startLocal({
    assemblyFolder: await editedAssembly((assembly) => {
      scriptFunctions(assembly);
      assembly.resource('AWS::ApiGateway::Authorizer').Properties['AuthorizerResultTtlInSeconds'] = 1;
      const { MethodSettings } = assembly.resource('AWS::ApiGateway::Stage').Properties;
      Object.assign(Object(MethodSettings)[0], { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 5 });
    }),
    args: ['--quiet', '--memory'],
    env: { NODE_OPTIONS: `--import ${preload}` },
  });
  const ask = (path: string) =>
    send(run.url(path), { method: 'POST', headers: { Authorization: basic('asked', 'any') } });
  /** How often the authorizer has been called, as its cached policy says. */
  const calls = async () => {
    const answer = await ask('changes');
    return answer.status === 200 ? JSON.parse(answer.json().event.requestContext.authorizer.asked).asked : 0;
  };
  expect(await calls()).toBe(1);
  const burst = await Promise.all(Array.from({ length: 40 }, () => ask('material-stock-balance')));
  expect(burst.map(({ status }) => status)).toContain(429);
  process.kill(run.pid, 'SIGUSR2');
  await expect.poll(calls, { interval: 200, timeout: 20_000 }).toBe(2);
  const isLetIn = async () => (await ask('material-stock-balance')).status === 200;
  await expect.poll(isLetIn, { timeout: 20_000 }).toBe(true);
  await run.stop();
});
