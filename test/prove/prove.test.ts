import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listen } from '../../local/http.ts';
import { runProve } from '../../prove/main.ts';
import { Stage } from '../../prove/stage.ts';
import { httpResponse, startBlindServer } from '../admin/doctor/doctor.ts';
import { captureOutput } from '../admin/in-process.ts';
import { startStackServer } from '../admin/stack-server.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { startLocal } from '../support/local-run.ts';
import { projectFolder } from '../support/run-app.ts';

afterEach(() => void vi.unstubAllEnvs());

const proveService = async (baseUrl: string, ...args: string[]) => {
  const out = temporaryFolder();
  const output = await captureOutput(() => runProve(['--base-url', baseUrl, '--out', out, ...args]));
  const report = readFileSync(join(out, globSync('*.md', { cwd: out })[0] ?? ''), 'utf8');
  const rows = [...report.matchAll(/^\| (.+?) \| .+ \| .* \| (.+?) \|$/gm)].slice(2);
  return { ...output, report, verdicts: rows.map(([, , verdict = '']) => verdict) };
};

test('a local run agrees with every fact about the gateway that needs no deployment', async () => {
  const run = await startLocal();
  const { BaseUrl } = run.outputs();
  const { code, verdicts, report } = await proveService(BaseUrl, '--data', run.data, '--parts', 'facts');
  expect(report).not.toContain('differs');
  expect(new Set(verdicts)).toEqual(new Set(['agrees', 'not tested: needs a deployment']));
  expect(code).toBe(0);
});

test('a service that answers differently ends with 1, and each row names a file of the project', async () => {
  vi.stubEnv('CLIENT', 'doctor');
  vi.stubEnv('PASSWORD', 'secret');
  const server = await startBlindServer(httpResponse(418, '{}'));
  const { code, report } = await proveService(server.baseUrl, '--parts', 'batches,facts,doctor');
  await server.stop();
  const files = [...report.matchAll(/differs: correct ([\w./-]+)/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => globSync(file, { cwd: projectFolder }).length === 0)).toEqual([]);
  expect(code).toBe(1);
});

describe('nothing is deployed', () => {
  test('for a part that does not exist', async () => {
    const { code, stderr } = await captureOutput(() => runProve(['--parts', 'fact']));
    expect(code).toBe(2);
    expect(stderr).toMatch(/fact is none of batches, facts, doctor, interface/);
  });

  test('if the CDK is not set up', async () => {
    const aws = await startStackServer({ name: 'Other', region: 'eu-west-1' }, {});
    vi.stubEnv('AWS_ENDPOINT_URL', aws.endpoint);
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    const { code, stderr } = await captureOutput(() => runProve(['--yes']));
    aws.stop();
    expect(code).toBe(1);
    expect(stderr).toMatch(/Run `npx cdk bootstrap` first/);
  });
});

/** CloudFormation with a stack that an update changes when its deletion is requested for the first time. */
const startUpdatingStack = async () => {
  const requests: string[] = [];
  const answerTo = (action: string) => {
    if (action === 'DeleteStack' && requests.filter((request) => request === action).length === 1)
      return '<Error><Code>ValidationError</Code><Message>Stack [arn] cannot be deleted while in status UPDATE_IN_PROGRESS</Message></Error>';
    if (action === 'DescribeStacks')
      return `<Stacks><member><StackId>arn</StackId><StackName>Proof</StackName>
        <StackStatus>${requests.includes('DeleteStack') ? 'DELETE_COMPLETE' : 'UPDATE_IN_PROGRESS'}</StackStatus></member></Stacks>`;
    if (action === 'DescribeStackEvents')
      return `<StackEvents><member><ResourceType>AWS::IAM::Role</ResourceType><PhysicalResourceId>kept</PhysicalResourceId>
        <ResourceStatus>DELETE_SKIPPED</ResourceStatus></member></StackEvents>`;
    return '';
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await Array.fromAsync(incoming)).toString();
    const action = new URLSearchParams(body).get('Action') ?? '';
    requests.push(action);
    const answer = answerTo(action);
    const isError = answer.startsWith('<Error>');
    outgoing.writeHead(isError ? 400 : 200, { 'Content-Type': 'text/xml' });
    outgoing.end(
      isError
        ? `<ErrorResponse>${answer}</ErrorResponse>`
        : `<${action}Response><${action}Result>${answer}</${action}Result></${action}Response>`,
    );
  });
  return { endpoint: await listen(server, 0), requests, stop: () => server.close() };
};

test('a stage is destroyed after an interrupted update, and what remains is reported', async () => {
  const aws = await startUpdatingStack();
  vi.stubEnv('AWS_ENDPOINT_URL', aws.endpoint);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  const stage = new Stage('Proof', { seconds: 0, interrupted: AbortSignal.abort() });
  expect(await stage.destroy()).toEqual({ isDestroyed: true, left: ['AWS::IAM::Role kept DELETE_SKIPPED'] });
  expect(aws.requests.filter((action) => action === 'DeleteStack')).toHaveLength(2);
  aws.stop();
});
