import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
  ValidateTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { freePort } from '../../local/services/engine.ts';
import { CDK, projectFolder } from '../../prove/programs.ts';
import { Stage } from '../../prove/stage.ts';
import { installPythonPackage } from '../judges/python-package.ts';
import { ADAPTATION, type Adaptation, type Template, withDependents } from './adapted-app.ts';

/*
 * npm run test:ministack
 *
 * Proves a deployment to MiniStack, an emulator of AWS by others, in its newest release from PyPI. It needs Python 3.
 * Exit code 1: a row differs that is not in this list, or the proof does not end as it should.
 */

const REQUEST_ID = 'another request id in the header of an answer than in the event of the function';

/** What MiniStack has instead. */
const limits: Record<string, string> = {
  'five batches of 20,000 at once': 'one process for all tables, too slow for the timeout of the function',
  'a body of 6.5 MB': 'no limit of size',
  'a body of 11 MB': 'no limit of size',
  "a client's own x-amzn-RequestId": 'no variables in the body of a mock integration',
  'responses with X-Amzn-Trace-Id': 'no traces',
  'compressed bodies of 50 bytes': 'no compression',
  'doctor: gzip-answer': 'no compression',
  'doctor: gzip-request': 'no compression',
  'a form posted to an unknown path': 'the 415 before the check of parameters',
  'a throttled function': "Lambda's own 429 for the client",
  'the metric WrongCredentials': 'no metrics from logs',
  'the metric RefusedBatches': 'no access log',
  'the quota of a client': 'no limits by usage plans',
  'the throttle of the stage': 'the throttle after the authorizer',
  'an address outside allowedCidrs': 'no resource policies',
  'test/interface/errors.test.ts': REQUEST_ID,
  'test/interface/requests.test.ts': REQUEST_ID,
  'test/interface/values.test.ts': REQUEST_ID,
  'test/interface/hostile/hostile.test.ts': REQUEST_ID,
};

const NEVER = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-ministack-'));
const say = (text: string) => process.stdout.write(`${text}\n`);

const install = () => {
  const python = join(installPythonPackage('ministack', join(folder, 'venv')), 'python');
  const version = 'from importlib.metadata import version; print(version("ministack"))';
  return execFileSync(python, ['-c', version], { encoding: 'utf8' }).trim();
};

/** On loopback alone: the listener for MQTT has no such setting. */
const start = async (port: string) => {
  const logFile = join(folder, 'ministack.log');
  const log = openSync(logFile, 'w');
  const settings = { BIND_HOST: '127.0.0.1', GATEWAY_PORT: port, IOT_MTLS_ENABLED: '0' };
  const child = spawn(join(folder, 'venv/bin/ministack'), {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      MINISTACK_REGION: process.env['AWS_REGION'],
      ...settings,
    },
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

const MAX_TRIALS = 6;

/** Deploys until MiniStack refuses nothing more. */
const findAdaptation = async (adaptation: Adaptation, trial = 1): Promise<Adaptation> => {
  const CDK_APP = `${process.execPath} test/prove/adapted-app.ts`;
  Object.assign(process.env, { CDK_APP, [ADAPTATION]: JSON.stringify(adaptation) });
  const stage = new Stage(`Trial${trial}`, { seconds: 0, interrupted: NEVER });
  const isDeployed = await stage.deploy().then(
    () => true,
    () => false,
  );
  const better = isDeployed ? undefined : await adaptTo(stage, adaptation);
  await stage.destroy();
  if (!better) return adaptation;
  if (trial === MAX_TRIALS) throw new Error('MiniStack refuses too much.');
  return findAdaptation(better, trial + 1);
};

const findRefusal = async (StackName: string) => {
  const pages = paginateDescribeStackEvents({ client: new CloudFormationClient() }, { StackName });
  const events = (await Array.fromAsync(pages)).flatMap(({ StackEvents = [] }) => StackEvents);
  // The newest event comes first, and a failure cancels what is created at the same time.
  const failure = events.findLast(({ ResourceStatus }) => ResourceStatus === 'CREATE_FAILED');
  const { LogicalResourceId: id = '', ResourceStatusReason: reason = '' } = failure ?? {};
  say(`MiniStack refuses ${id}: ${reason}`);
  return { id, reason };
};

/** MiniStack makes no stack, and so no event, for a template with a type that it does not know. */
const findUnknownTypes = async (resources: Template['Resources']) => {
  const types = new Set(Object.values(resources).map(({ Type }) => Type));
  const oneOfEach = [...types].map((Type, index) => [`Resource${index}`, { Type }]);
  const TemplateBody = JSON.stringify({ Resources: Object.fromEntries(oneOfEach) });
  const message = await new CloudFormationClient()
    .send(new ValidateTemplateCommand({ TemplateBody }))
    .then(() => '', String);
  const unknown = /Unrecognized resource types: \[(.+)\]/.exec(message)?.[1]?.split(', ') ?? [];
  if (unknown.length > 0) say(`MiniStack does not know ${unknown.join()}`);
  return unknown;
};

const adaptTo = async ({ name, assembly }: Stage, adaptation: Adaptation): Promise<Adaptation> => {
  const file = join(assembly, `${name}.template.json`);
  const { Resources }: Template = JSON.parse(readFileSync(file, 'utf8'));
  const without = (isRefused: (resource: Template['Resources'][string]) => boolean): Adaptation => {
    const ids = Object.entries(Resources).flatMap(([id, resource]) => (isRefused(resource) ? id : []));
    return { ...adaptation, refused: [...adaptation.refused, ...withDependents(Resources, ids)] };
  };
  const unknown = await findUnknownTypes(Resources);
  if (unknown.length > 0) return without(({ Type }) => unknown.includes(Type));
  const { id, reason } = await findRefusal(name);
  if (/Fn::Select/.test(reason)) return { ...adaptation, namesSecrets: true };
  // What it refuses is a type, or a property of a type.
  const property = /Properties\.(\w+)/.exec(reason)?.[1];
  return without(
    ({ Type, Properties = {} }) =>
      Type === Resources[id]?.Type && (property === undefined || property in Properties),
  );
};

const startProof = (...args: string[]) => {
  const options = ['--yes', '--patience', '5', '--out', folder, ...args];
  return spawn(process.execPath, ['prove/main.ts', ...options], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

const expectEnd = async (child: ReturnType<typeof startProof>, expected: number) => {
  const [code] = await once(child, 'exit');
  if (code !== expected) throw new Error(`The proof ended with ${code} instead of ${expected}.`);
  const { Stacks = [] } = await new CloudFormationClient().send(new DescribeStacksCommand({}));
  const left = Stacks.map(({ StackName = '' }) => StackName).filter((name) =>
    name.startsWith('WarehouseProof'),
  );
  if (left.length > 0) throw new Error(`The proof has left ${left.join()}.`);
};

const ANNOUNCED = /account 000000000000, eu-central-1\? .+ about \d+\.\d\d dollars/;

const interruptProof = async () => {
  const child = startProof('--parts', 'facts');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  child.stdout.once('data', () => child.kill('SIGINT'));
  await expectEnd(child, 130);
  if (!ANNOUNCED.test(said)) throw new Error(`The proof did not say what it would do: ${said}`);
};

const ROW = /^\| (.+?) \|.*\| (agrees|differs|not tested)[^|]*\|$/gm;

const prove = async () => {
  const child = startProof();
  child.stdout.resume();
  child.stderr.pipe(process.stderr);
  await expectEnd(child, 1);
  const [file = ''] = globSync(join(folder, '*.md'));
  const report = readFileSync(file, 'utf8');
  return {
    report,
    rows: [...report.matchAll(ROW)].map(([, name = '', verdict = '']) => ({ name, verdict })),
  };
};

const main = async () => {
  const version = install();
  const port = String(await freePort());
  const endpoint = `http://127.0.0.1:${port}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  const ministack = await start(port);
  try {
    const bootstrap = [join(projectFolder, CDK), 'bootstrap', 'aws://000000000000/eu-central-1'];
    // In another folder, where the CDK finds no app that it would synthesize.
    execFileSync(process.execPath, bootstrap, { cwd: folder, stdio: ['ignore', 2, 2] });
    const { namesSecrets, refused } = await findAdaptation({ endpoint, namesSecrets: false, refused: [] });
    await interruptProof();
    const { report, rows } = await prove();
    say(report);
    say(`MiniStack ${version}. Left out: ${refused.join(', ') || 'nothing'}.`);
    say('Adapted: no method needs a key, since MiniStack takes none from the authorizer.');
    if (namesSecrets) say('Adapted: the names of secrets, and references to them.');
    const gone = Object.keys(limits).filter((limit) => !rows.some(({ name }) => name === limit));
    if (gone.length > 0) throw new Error(`The report has no rows ${gone.join('; ')}.`);
    for (const { name, verdict } of rows) {
      const reason = limits[name];
      if (reason && verdict === 'agrees') say(`Agrees this time: ${name}`);
      if (reason && verdict === 'differs') say(`MiniStack has ${reason}: ${name}`);
    }
    return rows.filter(({ name, verdict }) => verdict === 'differs' && !(name in limits));
  } finally {
    ministack.kill();
    await once(ministack, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
};

const surprises = await main();
for (const { name } of surprises) say(`Differs, and no known limit of MiniStack: ${name}`);
process.exitCode = surprises.length > 0 ? 1 : 0;
