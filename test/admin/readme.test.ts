import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { type LocalRun, projectFolder, startLocal } from '../support/local-run.ts';

const INVOCATION = 'npx warehouse-admin --local ';

/** What is typed in the README's consoles, and what is said to come of it. */
const typed = [...readFileSync(join(projectFolder, 'README.md'), 'utf8').matchAll(/```console\n(.*?)```/gs)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((entry) => {
    const [line = '', ...said] = entry.trimEnd().split('\n');
    return { line, said };
  });

/** Times and ages are another run's. */
const timeless = (line: string) =>
  line
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{3}Z)?)?/g, 'TIME')
    .replace(/ \d+ (s|min|h|d)$/, ' AGE')
    .trimEnd();

let run: LocalRun;
const folder = temporaryFolder();
beforeAll(async () => {
  run = await startLocal({ args: ['--demo', '--quiet'] });
  for (const { line, said } of typed) {
    const file = /^cat (.*)$/.exec(line)?.[1];
    if (file) writeFileSync(join(folder, file), `${said.join('\n')}\n`);
  }
});
afterAll(() => run.stop());

const outcomeOf = (line: string) =>
  new Promise<string[]>((resolve) => {
    const args = line.replace(INVOCATION, '').split(' ');
    const command = [
      process.execPath,
      join(projectFolder, 'admin/main.ts'),
      ...args,
      '--local',
      '--data',
      run.data,
    ];
    execFile('sh', ['-c', '"$@" 2>&1', 'sh', ...command], { cwd: folder }, (_, said) =>
      resolve(said.trimEnd().split('\n')),
    );
  });

describe('what the README shows of the commands', () => {
  const commands = typed.filter(({ line }) => line.startsWith(INVOCATION));

  test.each(commands)('comes of `$line`', async ({ line, said }) => {
    const outcome = (await outcomeOf(line)).map(timeless);
    const isCut = said.at(-1) === '…';
    const shown = (isCut ? said.slice(0, -1) : said).map(timeless);
    for (const [index, text] of shown.entries()) {
      // A line may be cut, too, where it is a mere rule.
      if (text.endsWith('…')) expect(outcome[index]?.startsWith(text.slice(0, -1))).toBe(true);
      else expect(outcome[index]).toBe(text);
    }
    if (!isCut) expect(outcome).toHaveLength(shown.length);
  });
});
