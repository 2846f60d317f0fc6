import { spawnSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { projectFolder } from '../support/run-app.ts';

/** Replaces the programs: each prints its arguments. */
const PROGRAMS = `
  npx() { echo npx "$@" \${AWS_PROFILE+as $AWS_PROFILE}; }
  npm() { echo npm "$@"; }
  node() { echo "URL-$stage"; }
  git() { [ "$1" = status ] || echo git "$@"; }
`;

const stepsOf = (stage: string, profile = '') => [
  `npx cdk diff --context stage=${stage}${profile}`,
  `npm run deploy -- --context stage=${stage} --require-approval never`,
  `npm run doctor -- --base-url URL-${stage} --client doctor`,
];
const TESTS = ['npm run check', 'npm test'];
const ALL = [...TESTS, ...stepsOf('test'), ...stepsOf('production'), 'git tag production-'];
const FIRST_AS_ONE = [
  ...TESTS,
  ...stepsOf('test', ' as one'),
  ...stepsOf('production'),
  'git tag production-',
];
const failing = (call: string) => `npm() { echo npm "$@"; [ "npm $*" != "${call}" ]; }`;
const STAGES = 'test production';

type Case = [string, stages: string, input: string, failure: string, calls: string[], code: number];
const cases: Case[] = [
  ['deploys each stage after a yes, and tags the last one', STAGES, 'y\\ny\\n', '', ALL, 0],
  [
    'uses a profile for its stage only, and asks nothing with --yes',
    '--yes test=one production',
    '',
    '',
    FIRST_AS_ONE,
    0,
  ],
  ['stops at a no', STAGES, 'y\\nn\\n', '', ALL.slice(0, 6), 1],
  ['stops at a mere Enter', STAGES, '\\n', '', ALL.slice(0, 3), 1],
  ['stops without a terminal', STAGES, '', '', ALL.slice(0, 3), 1],
  ['stops if a test fails', STAGES, 'y\\ny\\n', failing('npm test'), TESTS, 1],
  [
    'stops if the doctor finds something wrong',
    STAGES,
    'y\\ny\\n',
    failing(ALL[4] ?? ''),
    ALL.slice(0, 5),
    1,
  ],
  ['needs all changes in a commit', STAGES, 'y\\ny\\n', 'git() { echo M file; }', [], 1],
  ['needs a stage', '', 'y\\n', '', [], 2],
];

/** What each case prints, and its exit code. One process runs them all. */
let results: string[];
beforeAll(() => {
  const runs = cases.map(
    ([, stages, input, failure]) =>
      `printf '${input}' | (${PROGRAMS}${failure}\nset -- ${stages}\n. docs/release.sh); echo "exit $?;"`,
  );
  const options = { cwd: projectFolder, encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const;
  const { stdout } = spawnSync('bash', ['-c', runs.join('\n')], options);
  results = stdout.replaceAll(/(?<=git tag \w+-)\d{8}-\d{4}/g, '').split(';\n');
});

it.each(cases.map((one, index) => [...one, index] as const))(
  'a release %s',
  (...[, , , , calls, code, index]) => {
    expect(results[index]?.split('\n')).toEqual([...calls, `exit ${code}`]);
  },
);
