import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { examineTrial } from '../../doctor/trial/examine-trial.ts';
import { Trial } from '../../doctor/trial/trial.ts';
import { findFreePort } from '../../local/http.ts';
import { installPythonPackage } from '../judges/python-package.ts';
import { projectFolder } from '../support/run-app.ts';

/*
 * npm run test:with -- ministack
 *
 * Lets the doctor deploy a trial to MiniStack, an emulator of AWS by others, in its newest release from PyPI. It needs
 * Python 3. Exit code 1: a fact is wrong that is not in this list, or a trial is left.
 */

const ANY = 'routes of ANY for every method, so the 401 of the authorizer';

const NO_ID = 'no header x-amz-apigw-id';

/** What MiniStack has instead. */
const limits: Record<string, string> = {
  'five batches of 20,000 at once': 'one process for all tables, too slow for the timeout of the function',
  'an unknown path': NO_ID,
  'another method of an operation': NO_ID,
  'a base URL that ends in a slash': NO_ID,
  'request-id': NO_ID,
  'a body of 6.5 MB': 'no limit of size',
  'a body of 11 MB': 'no limit of size',
  'gzip-response': 'no compression',
  'gzip-request': 'no compression',
  'a form to an unknown path': 'the 415 before the check of parameters',
  'TRACE with a wrong password': ANY,
  'PROPFIND with a wrong password': ANY,
  'QUERY with a wrong password': ANY,
  'a throttled function': "Lambda's own 429 for the client",
  'the metric WrongCredentials': 'no metrics from logs',
  'the metric RefusedBatches': 'no access log',
  'a slot whose key is disabled': 'no limits by usage plans',
  'the rate of a slow plan': 'no limits by usage plans',
  'the quota of a slot': 'no limits by usage plans',
  'the throttle of a slot': 'no limits by usage plans',
  'the metric LimitedRequests': 'no access log',
  'the throttle of the API stage': 'the throttle after the authorizer',
  'a trace that a request asks for': 'no X-Ray',
  'an address outside allowedCidrs': 'no resource policies',
};

const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-ministack-'));
const say = (text: string) => process.stdout.write(`${text}\n`);

/** On loopback alone: the listener for MQTT has no such setting. */
const start = async (program: string, port: string, region: string) => {
  const logFile = join(folder, 'ministack.log');
  const log = openSync(logFile, 'w');
  const settings = { BIND_HOST: '127.0.0.1', GATEWAY_PORT: port, IOT_MTLS_ENABLED: '0' };
  const child = spawn(program, {
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, MINISTACK_REGION: region, ...settings },
    stdio: ['ignore', log, log],
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(readFileSync(logFile, 'utf8'));
    await sleep(500);
  }
  return child;
};

/** Examines a trial, which must be gone afterwards. Returns the results and the messages. */
const examine = async (name: string, interrupt = new AbortController(), isInterrupted = false) => {
  const output: string[] = [];
  const results = await examineTrial(
    new Trial(name, { seconds: 5, interrupted: interrupt.signal }),
    { yes: true, slots: !isInterrupted, resultsFolder: folder },
    {
      print: (line) => {
        say(line);
        if (isInterrupted) interrupt.abort();
      },
      say: (line) => output.push(line),
      interrupted: interrupt.signal,
    },
  );
  const { Stacks = [] } = await new CloudFormationClient().send(new DescribeStacksCommand({}));
  if (Stacks.some(({ StackName }) => StackName === name)) throw new Error(`The stack ${name} is left.`);
  return { results, output: output.join('\n') };
};

const ANNOUNCED = /account 000000000000, eu-central-1\? .+ about 0\.35 dollars/;

const examineBoth = async () => {
  const interrupted = await examine('Interrupted', new AbortController(), true);
  if (interrupted.results.length !== 1) throw new Error('The interrupted did not end the examination.');
  if (!ANNOUNCED.test(interrupted.output))
    throw new Error(`It did not say what it would do: ${interrupted.output}`);
  const { results } = await examine('Examined');
  const expected = [...Object.keys(limits), '170 slots'];
  const gone = expected.filter((fact) => !results.some(({ name }) => name === fact));
  if (gone.length > 0) throw new Error(`The results have no ${gone.join('; ')}.`);
  for (const { name, state } of results) {
    if (limits[name]) say(`${state === 'ok' ? 'Right this time' : `MiniStack has ${limits[name]}`}: ${name}`);
  }
  return results.filter(({ name, state }) => state === 'WRONG' && !(name in limits));
};

const main = async () => {
  const programs = installPythonPackage('ministack', join(folder, 'venv'));
  const [port, region] = [String(await findFreePort()), 'eu-central-1'];
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: region,
    // MiniStack reads the account from it.
    AWS_ACCESS_KEY_ID: '000000000000',
    AWS_SECRET_ACCESS_KEY: 'test',
    // It remembers the accounts of keys.
    CDK_HOME: folder,
    CDK_APP: `${process.execPath} test/doctor/adapted-app.ts`,
  });
  const ministack = await start(join(programs, 'ministack'), port, region);
  try {
    const cdk = join(projectFolder, 'node_modules/aws-cdk/bin/cdk');
    // In another folder, where the CDK finds no app that it would synthesize.
    const bootstrap = { cwd: folder, env: { ...process.env, CDK_APP: '' } };
    execFileSync(process.execPath, [cdk, 'bootstrap', `aws://000000000000/${region}`], {
      ...bootstrap,
      stdio: ['ignore', 2, 2],
    });
    const surprises = await examineBoth();
    for (const { name } of surprises) say(`Wrong, and no known limit of MiniStack: ${name}`);
    return surprises.length;
  } finally {
    ministack.kill();
    await once(ministack, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
};

process.exitCode = (await main()) > 0 ? 1 : 0;
