import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { projectFolder } from '../support/run-app.ts';

/** Replaces the programs: each prints its arguments. */
const PROGRAMS = `
  npx() { echo npx "$@" \${AWS_PROFILE+as $AWS_PROFILE}; }
  npm() { echo npm "$@"; }
  node() { echo "URL-$stage"; }
  git() { [ "$1" = status ] || echo git "$@"; }
`;

const stepsOf = (stage: string) => [
  `npx cdk diff --context stage=${stage}`,
  `npm run deploy -- --context stage=${stage} --require-approval never`,
  `npm run doctor -- --base-url URL-${stage} --client doctor`,
];
const TESTS = ['npm run check', 'npm test'];
const ALL = [...TESTS, ...stepsOf('test'), ...stepsOf('production'), 'git tag production-'];
const failing = (call: string) => `npm() { echo npm "$@"; [ "npm $*" != "${call}" ]; }`;
const STAGES = ['test', 'production'];

it.each([
  ['deploys each stage after a yes, and tags the last one', STAGES, 'y\ny\n', '', ALL, 0],
  ['asks nothing with --yes', ['--yes', ...STAGES], '', '', ALL, 0],
  ['uses the profile of a stage', ['test=one'], 'n\n', '', [...TESTS, `${ALL[2]} as one`], 1],
  ['stops at a no', STAGES, 'y\nn\n', '', ALL.slice(0, 6), 1],
  ['stops at a mere Enter', STAGES, '\n', '', ALL.slice(0, 3), 1],
  ['stops without a terminal', STAGES, '', '', ALL.slice(0, 3), 1],
  ['stops if a test fails', STAGES, 'y\ny\n', failing('npm test'), TESTS, 1],
  ['stops if the doctor finds a fault', STAGES, 'y\ny\n', failing(ALL[4] ?? ''), ALL.slice(0, 5), 1],
  ['needs all changes in a commit', STAGES, 'y\ny\n', 'git() { echo M file; }', [], 1],
  ['needs a stage', [], 'y\n', '', [], 2],
])('a release %s', (_, stages, input, fault, calls, code) => {
  const script = [PROGRAMS, fault, '. docs/release.sh'].join('\n');
  const { stdout, status } = spawnSync('bash', ['-c', script, 'bash', ...stages], {
    cwd: projectFolder,
    encoding: 'utf8',
    input,
    env: { PATH: process.env['PATH'] },
  });
  const lines = stdout.replace(/(?<=git tag production-)\d{8}-\d{4}/, '').split('\n');
  expect([lines.filter(Boolean), status]).toEqual([calls, code]);
});
