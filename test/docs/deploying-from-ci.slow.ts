import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeStacks, type Respond, startAws } from '../doctor/aws-stub.ts';
import { assembly, temporaryFolder } from '../support/assembly.ts';
import { projectFolder, run } from '../support/run-app.ts';
import { DIFF_CALLS, diffCommand, isAllowedByDiff, readRoles, stackArn } from './ci-roles.ts';

const IDENTITY = '<Account>123456789012</Account><Arn>arn:aws:sts::123456789012:assumed-role/diff/job</Arn>';
const EMPTY_TEMPLATE = '<TemplateBody>{"Resources":{}}</TemplateBody>';
const DENIED = 403;

/** Runs the diff of the workflow, with the credentials of the job, for a synthesized stack. */
const runDiff = (assemblyFolder: string) => {
  const cdk = join(projectFolder, 'node_modules/aws-cdk/bin/cdk');
  return run(process.execPath, [cdk, ...diffCommand.split(' '), '--app', assemblyFolder, '--no-notices'], {
    AWS_ENDPOINT_URL: process.env['AWS_ENDPOINT_URL'] ?? '',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    CDK_HOME: temporaryFolder(),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  });
};

test('the role of the diff suffices for the diff of the workflow', async () => {
  const roles = readRoles();
  const ifAllowed =
    (action: string, respond: Respond): Respond =>
    (parameters, body) => {
      const arn = stackArn(parameters.get('StackName') ?? '');
      return isAllowedByDiff(roles, `cloudformation:${action}`, arn) ? respond(parameters, body) : DENIED;
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
    ...DIFF_CALLS.map((name) => `eu-central-1/cloudformation ${name}`),
  ]);
});
