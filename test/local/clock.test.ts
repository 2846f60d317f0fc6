import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editedAssembly, temporaryFolder } from '../support/assembly.ts';
import { basic, send } from '../support/http-client.ts';
import { eventually, startCommand } from '../support/local-run.ts';
import { scriptFunctions } from './scripted-functions.ts';

/** A module that sets the wall clock of a process back by an hour at SIGUSR2. */
const SET_BACK = `
const now = Date.now;
process.on('SIGUSR2', () => {
  Date.now = () => now() - 3_600_000;
  console.log('set back');
});`;

test('a clock that is set back stops neither the throttle nor the age of a cached policy', async () => {
  const preload = join(temporaryFolder(), 'set-back.mjs');
  writeFileSync(preload, SET_BACK);
  const run = await startCommand({
    assemblyFolder: await editedAssembly((assembly) => {
      scriptFunctions(assembly);
      assembly.resource('AWS::ApiGateway::Authorizer').Properties['AuthorizerResultTtlInSeconds'] = 1;
    }),
    args: ['--quiet', '--memory'],
    env: { NODE_OPTIONS: `--import ${preload}` },
  });
  /** How often the authorizer has been called, as the cached policy says. */
  const countCalls = async () => {
    const headers = { Authorization: basic('asked', 'any') };
    const answer = await send(run.url('changes'), { method: 'POST', headers });
    expect(answer.status).toBe(200);
    return JSON.parse(answer.json().event.requestContext.authorizer.asked).asked;
  };
  const before = await countCalls();
  process.kill(run.pid, 'SIGUSR2');
  await eventually(() => run.said.stdout.includes('set back'));
  await eventually(async () => (await countCalls()) > before);
  await run.stop();
});
