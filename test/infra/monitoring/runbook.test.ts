import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../../admin/cli/main.ts';
import { accessLogFormat } from '../../../infra/api/access-log.ts';
import { operationNames } from '../../../shared/operations.ts';
import { unknownWords } from '../../docs/admin-command-line.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { projectFolder } from '../../support/run-app.ts';
import { functionsOf, sample } from '../deployment.ts';
import { alarmsIn, sectionOf } from './alarm-state.ts';

const read = (file: string) => readFileSync(join(projectFolder, 'docs', file), 'utf8');
const runbook = read('runbook.md');
const functions = [...read('runbook.sh').matchAll(/^(\w+)\(\)/gm)].map(([, name = '']) => name);
const [, logNames = ''] = /^# Names: (.+)\.$/m.exec(read('runbook.sh')) ?? [];

const deployment = sample('everything');

/** The code in the text of the runbook, with an existing log where a name is left open. */
const codes = [...runbook.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) =>
  code.replaceAll('NAME', 'PostChange'),
);
const firstWord = (code: string) => code.split(' ')[0] ?? '';
const commands = [...new Set(codes.filter((code) => functions.includes(firstWord(code))))];

const RESOURCE = /starts_with\(LogicalResourceId, '(\w+)'\) && ResourceType == '([\w:]+)'/g;

/** Replaces the programs: prints their arguments, or the prefix where a command asks for a resource's name. */
const RECORDER = `
  record() {
    { printf '%s' "$1"; shift; printf '\\t%s' "$@"; echo; } >&3
    all="$*"
    id=\${all#*LogicalResourceId, \\'}
    echo "\${id%%\\'*}"
  }
  for program in npx npm node; do eval "$program() { record $program \\"\\$@\\"; }"; done
  aws() { if [ "$1" = --version ]; then echo aws-cli/2.31.0; else record aws "$@"; fi; }
`;

const run = async (shell: string, lines: readonly string[]) => {
  const script = ['set -eu', 'exec 3>&1 >/dev/null', RECORDER, '. docs/runbook.sh', ...lines].join('\n');
  const { stdout, stderr } = await promisify(execFile)(shell, ['-c', script], { cwd: projectFolder });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));
};

describe('the runbook', () => {
  it('has a section for each alarm, the budget and the messages of the watch, and no other', () => {
    const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    const sections = alarmsIn(deployment).map(({ properties }) => sectionOf(properties));
    expect(headings.toSorted()).toEqual([...new Set([...sections, 'budget', 'silence'])].toSorted());
  });

  it('asks to run only functions of runbook.sh and programs that an operator has', () => {
    const asked = [...runbook.matchAll(/\brun `([^`\n]+)`/gi)].map(([, code = '']) => firstWord(code));
    expect(asked).toContain('server_errors');
    const known = [...functions, 'aws', 'npm', 'npx'];
    expect(asked.filter((word) => !known.includes(word))).toEqual([]);
  });

  describe('has commands that run', () => {
    let calls: string[][];
    beforeAll(async () => {
      calls = await run('sh', commands);
    });

    it('on resources and outputs of the stack', () => {
      const asked = calls.flatMap((call) => [...call.join(' ').matchAll(RESOURCE)]);
      expect(asked).not.toEqual([]);
      for (const [, prefix = '', type = ''] of asked) {
        const ids = deployment.resources(type).map(({ id }) => id);
        onlyMatch(ids, (id) => id.startsWith(prefix), prefix);
      }
      const outputs = calls.flatMap((call) => /OutputKey=='(\w+)'/.exec(call.join(' '))?.[1] ?? []);
      expect(outputs.filter((name) => !(name in deployment.outputs))).toEqual([]);
    });

    it('with words and options of the admin program', async () => {
      const program = await createProgram();
      const lines = calls.flatMap(([name, , ...words]) => (name === 'npx' ? [words.join(' ')] : []));
      expect(lines).not.toEqual([]);
      expect(lines.flatMap((line) => unknownWords(program, line))).toEqual([]);
    });

    it('with fields of the access log', () => {
      const fields = Object.keys(JSON.parse(accessLogFormat.toString()));
      const patterns = calls.flatMap((call) => (call[3] === 'ApiAccessLog' ? (call.at(-1) ?? '') : []));
      const named = patterns.flatMap((pattern) => [...pattern.matchAll(/\$\.(\w+)/g)]);
      expect(named).not.toEqual([]);
      expect(named.filter(([, field = '']) => !fields.includes(field))).toEqual([]);
    });
  });
});

it('the table of alarms has one row for each alarm, or for those of a kind, with its section in the runbook', () => {
  const rows = [...read('operations.md').matchAll(/^\| \[`(\w+)(…?)`\]\(runbook\.md#([\w-]+)\)/gm)];
  const rowOf = (id: string) =>
    rows.filter(([, name, kind]) => new RegExp(`^Monitoring${name}${kind && '\\w+'}[0-9A-F]{8}$`).test(id));
  const alarms = alarmsIn(deployment).map(({ id, properties }) => ({
    id,
    found: rowOf(id),
    section: sectionOf(properties),
  }));
  for (const { id, found, section } of alarms)
    expect(
      found.map(([, , , link]) => link),
      id,
    ).toEqual([section]);
  expect(rows.filter((row) => !alarms.some(({ found }) => found.includes(row)))).toEqual([]);
});

describe('runbook.sh', () => {
  it('names in its comments every log that logs can read, and logs also accepts the names in alarms', async () => {
    const names = logNames.split(', ');
    const calls = await run(
      'bash',
      [...names, ...operationNames].map((name) => `logs ${name} ''`),
    );
    const read = calls.filter(([, service]) => service === 'logs').map(([, , , group]) => group);
    expect(read.slice(0, names.length)).toEqual(names);
    expect(names).toEqual(expect.arrayContaining(read.slice(names.length)));
    expect(read).toHaveLength(names.length + operationNames.length);
    const logs = deployment.resources('AWS::Logs::LogGroup').map(({ id }) => id);
    expect(logs.filter((id) => !names.some((name) => id.startsWith(name)))).toEqual([]);
  });

  it('reads logs with the pattern of its arguments, starts the watch, and shows the alarms of one stack', async () => {
    const commands = [
      ...['requests 429', "requests '4*' wms-north", 'slow_requests post-change 500'],
      ...['watch_hour 2026-11-21T09:05:00Z', 'STACK=Other', 'active_alarms'],
    ];
    const calls = await run('bash', commands);
    const patterns = calls.flatMap((call) => call.filter((word) => word.startsWith('{ $.')));
    expect(patterns).toEqual([
      '{ $.status = "429" }',
      '{ $.status = "4*" && $.client = "wms-north" }',
      '{ $.durationMs > 500 || $.record.metrics.durationMs > 500 }',
    ]);
    const watch = onlyMatch(calls, (call) => call.includes('--cli-read-timeout'));
    const seconds = Number(watch[watch.indexOf('--cli-read-timeout') + 1]);
    // If the AWS CLI stopped waiting, it would start the watch again.
    expect(seconds).toBeGreaterThan(functionsOf(deployment).watch.properties.Timeout);
    expect(calls.at(-1)).toEqual(expect.arrayContaining(['--alarm-name-prefix', 'Other-']));
  });

  it.each([
    ['aws() { echo "aws-cli/1.46.3 Python/3.11.7"; }', 'This one is: aws-cli/1.46.3 Python/3.11.7'],
    ['unset -f aws; PATH=', 'This one is: '],
  ])('says that it needs version 2 of the AWS CLI: %s', async (version, words) => {
    const script = `${version}; . docs/runbook.sh; command -v active_alarms`;
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script], { cwd: projectFolder });
    expect(stderr).toMatch(/^These commands need version 2 of the AWS CLI: https:/);
    expect(stderr).toContain(words);
    // Most commands work with version 1, too.
    expect(stdout).toBe('active_alarms\n');
  });

  it('reads the time some hours ago', async () => {
    const from = Date.now();
    const [read = ''] = (await run('sh', ['unset -f node', 'hours_ago 2 >&3'])).flat();
    const then = Date.parse(read) + 2 * 3_600_000;
    expect(then).toBeGreaterThanOrEqual(from);
    expect(then).toBeLessThanOrEqual(Date.now());
  });

  it('fails and names the resource that a stack does not have', async () => {
    const silent = 'aws() { :; }';
    await expect(run('sh', [silent, 'STACK=Other', "logs ApiAccessLog ''"])).rejects.toMatchObject({
      stderr: 'The stack Other has no AWS::Logs::LogGroup whose id begins with ApiAccessLog.\n',
    });
  });
});
