import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { effectOf, findMatchingStatements, matches, readStatements } from '../../local/policy.ts';
import { describeStacks, type Respond, startAws } from '../doctor/aws-stub.ts';
import { assembly, temporaryFolder } from '../support/assembly.ts';
import { projectFolder, run } from '../support/run-app.ts';

const page = readFileSync(join(projectFolder, 'docs/deploying-from-ci.md'), 'utf8');
const scripts = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, script = '']) => script);

/** Replaces the programs: `aws` prints its arguments, and `gh` the id of the repository. */
const PROGRAMS = String.raw`
  aws() { printf '%s\n' "$(node -p 'JSON.stringify(process.argv.slice(1))' -- "$@")"; }
  gh() { echo 456789; }
  npx() { :; }
`;

type Condition = Record<string, Record<string, string | string[]>>;
type Trust = { Statement: { Condition: Condition }[] };

/** The policies that the commands of the page give to each role. */
let trusts: Record<string, Trust>;
let policies: Record<string, unknown>;
beforeAll(() => {
  const { stdout, stderr, status } = spawnSync('sh', ['-euc', PROGRAMS + scripts.join('\n')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  expect([status, stderr]).toEqual([0, '']);
  const calls: string[][] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const documentsOf = (command: string, option: string) =>
    Object.fromEntries(
      calls.flatMap((words) => {
        const after = (word: string) => words[words.indexOf(word) + 1] ?? '';
        return words[1] === command ? [[after('--role-name'), JSON.parse(after(option))]] : [];
      }),
    );
  trusts = documentsOf('create-role', '--assume-role-policy-document');
  policies = documentsOf('put-role-policy', '--policy-document');
});

const CLAIMS = 'token.actions.githubusercontent.com:';
const OPERATORS: Record<string, (expected: string, value: string) => boolean> = {
  StringEquals: (expected, value) => expected === value,
  StringLike: (expected, value) => matches(expected, value),
};

/** As IAM does, it allows only a token that has every claim of the condition. */
const trustsToken = ({ Statement }: Trust, token: Record<string, string>) =>
  Statement.some(({ Condition }) =>
    Object.entries(Condition).every(([operator, claims]) =>
      Object.entries(claims).every(([key, expected]) => {
        const value = token[key.replace(CLAIMS, '')];
        return [expected].flat().some((text) => value !== undefined && OPERATORS[operator]?.(text, value));
      }),
    ),
  );

const tokenOf = (repository: string, environment: string, more = {}) => ({
  aud: 'sts.amazonaws.com',
  sub: `repo:${repository}:environment:${environment}`,
  repository_id: '456789',
  environment,
  ...more,
});
const NEW = 'owner@123456/name@456789';

describe.each(['production', 'production-diff'])('the role of the environment %s', (environment) => {
  const isTrusted = (token: Record<string, string>) => {
    const trust = trusts[`warehouse-${environment}`];
    return trust ? trustsToken(trust, token) : undefined;
  };

  it.each([
    ['that is older than the ids in sub', 'owner/name'],
    ['that has ids in sub', NEW],
    ['that was renamed', 'owner@123456/other@456789'],
  ])('can be used by a job of this environment in a repository %s', (_, repository) => {
    expect(isTrusted(tokenOf(repository, environment))).toBe(true);
  });

  it.each([
    ['another environment', tokenOf(NEW, 'test')],
    ['an environment that only sub names', tokenOf(NEW, environment, { environment: 'test' })],
    ['no environment', { ...tokenOf(NEW, environment), sub: `repo:${NEW}:ref:refs/heads/main` }],
    [
      'another repository that took its name',
      tokenOf('owner/name', environment, { repository_id: '456780' }),
    ],
    ['another owner', tokenOf('stranger@123/name@456789', environment)],
    ['another audience', tokenOf(NEW, environment, { aud: 'https://github.com/owner' })],
  ])('cannot be used by a job of %s', (_, token) => {
    expect(isTrusted(token)).toBe(false);
  });
});

/** Whether the role of the diff may do an action on a resource. */
const isAllowed = (action: string, resource: string) => {
  const statements = readStatements(policies['warehouse-production-diff']);
  return effectOf(findMatchingStatements(statements, { action, resource })) === 'Allow';
};

const PLACE = 'eu-central-1:123456789012';
const IDENTITY = '<Account>123456789012</Account><Arn>arn:aws:sts::123456789012:assumed-role/diff/job</Arn>';
const EMPTY_TEMPLATE = '<TemplateBody>{"Resources":{}}</TemplateBody>';
const DENIED = 403;
const stackArn = (name: string) => `arn:aws:cloudformation:${PLACE}:stack/${name}/1`;

/** Runs the diff of the workflow, with the credentials of the job, for a synthesized stack. */
const runDiff = (assemblyFolder: string) => {
  const [, words = ''] = /npx cdk (diff .+?) --context/.exec(page) ?? [];
  const cdk = join(projectFolder, 'node_modules/aws-cdk/bin/cdk');
  return run(process.execPath, [cdk, ...words.split(' '), '--app', assemblyFolder, '--no-notices'], {
    AWS_ENDPOINT_URL: process.env['AWS_ENDPOINT_URL'] ?? '',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    CDK_HOME: temporaryFolder(),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  });
};

describe('the role of the diff', () => {
  it('may assume no role of the CDK, read no table and deploy nothing', () => {
    const lookupRole = 'arn:aws:iam::123456789012:role/cdk-hnb659fds-lookup-role-123456789012-eu-central-1';
    const refused: [string, string][] = [
      ['sts:AssumeRole', lookupRole],
      ['sts:AssumeRole', lookupRole.replace('lookup', 'deploy')],
      ['dynamodb:Scan', `arn:aws:dynamodb:${PLACE}:table/Warehouse-Clients`],
      ['cloudformation:CreateChangeSet', stackArn('Warehouse')],
      ['cloudformation:GetTemplate', stackArn('Other')],
    ];
    expect(refused.filter((call) => isAllowed(...call))).toEqual([]);
  });

  it('suffices for the diff of the workflow', async () => {
    const ifAllowed =
      (action: string, respond: Respond): Respond =>
      (parameters, body) => {
        const arn = stackArn(parameters.get('StackName') ?? '');
        return isAllowed(`cloudformation:${action}`, arn) ? respond(parameters, body) : DENIED;
      };
    const calls = await startAws({
      GetCallerIdentity: () => `<GetCallerIdentityResult>${IDENTITY}</GetCallerIdentityResult>`,
      AssumeRole: () => DENIED,
      DescribeStacks: ifAllowed('DescribeStacks', describeStacks({ WarehouseControl: {} })),
      GetTemplate: ifAllowed('GetTemplate', () => `<GetTemplateResult>${EMPTY_TEMPLATE}</GetTemplateResult>`),
    });
    const { exitCode, stdout, stderr } = await runDiff(await assembly());
    expect(exitCode, stderr).toBe(0);
    expect(stdout + stderr).toContain('IAM Statement Changes');
    expect([...new Set(calls)]).toEqual([
      'eu-central-1/sts GetCallerIdentity',
      'eu-central-1/sts AssumeRole',
      'eu-central-1/cloudformation DescribeStacks',
      'eu-central-1/cloudformation GetTemplate',
    ]);
  });
});
