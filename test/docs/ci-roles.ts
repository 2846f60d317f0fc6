import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { effectOf, findMatchingStatements, readStatements } from '../../local/policy.ts';
import { projectFolder } from '../support/run-app.ts';
import { scriptsIn } from './scripts-in.ts';

const page = readFileSync(join(projectFolder, 'docs/deploying-from-ci.md'), 'utf8');
const scripts = scriptsIn(page);

/** The words after `cdk` in the workflow. */
export const [, diffCommand = ''] = /npx cdk (diff .+?) --context/.exec(page) ?? [];

/** Replaces the programs: `aws` prints its arguments, and `gh` the id of the repository. */
const PROGRAMS = String.raw`
  aws() { printf '%s\n' "$(node -p 'JSON.stringify(process.argv.slice(1))' -- "$@")"; }
  gh() { echo 456789; }
  npx() { :; }
`;

export type Trust = { Statement: { Condition: Record<string, Record<string, string | string[]>> }[] };
type Roles = { trusts: Record<string, Trust>; policies: Record<string, unknown> };

/** Runs the commands of the page. Returns the policies that they give to each role. */
export const readRoles = (): Roles => {
  const { stdout, stderr, status } = spawnSync('sh', ['-euc', PROGRAMS + scripts.join('\n')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  if (status !== 0 || stderr !== '') throw new Error(`The commands of the page failed: ${stderr}`);
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
  return {
    trusts: documentsOf('create-role', '--assume-role-policy-document'),
    policies: documentsOf('put-role-policy', '--policy-document'),
  };
};

/** Whether the role of the diff may do an action on a resource. */
export const isAllowedByDiff = ({ policies }: Roles, action: string, resource: string) => {
  const statements = readStatements(policies['warehouse-production-diff']);
  return effectOf(findMatchingStatements(statements, { action, resource })) === 'Allow';
};

export const stackArn = (name: string) => `arn:aws:cloudformation:eu-central-1:123456789012:stack/${name}/1`;

/** The calls that `cdk diff` makes. The role may not assume a role of the CDK. */
export const DIFF_CALLS = ['DescribeStacks', 'GetTemplate'];
