import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAssembly, temporaryFolder } from '../support/assembly.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { projectFolder } from '../support/run-app.ts';
import { adminLine } from './command.ts';

const INVOCATION = 'npx warehouse-admin --local ';

const pages = ['docs/admin.md', 'docs/files.md'];

/** The commands in the pages' console blocks, with the output below each. */
const entries = pages
  .flatMap((page) => [...readFileSync(join(projectFolder, page), 'utf8').matchAll(/```console\n(.*?)```/gs)])
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((entry) => {
    const [line = '', ...output] = entry.trimEnd().split('\n');
    return { line, output };
  });

/** Times and ages differ from run to run. */
const timeless = (line: string) =>
  line
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{3}Z)?)?/g, 'TIME')
    .replaceAll(/ +\d+ (s|min|h|d)(?= {2}|$)/g, ' AGE')
    .trimEnd();

let run: LocalRun;
const folder = temporaryFolder();
beforeAll(async () => {
  run = await startLocal({ assemblyFolder: await demoAssembly(), demo: true });
  for (const { line, output } of entries) {
    const file = /^cat (.*)$/.exec(line)?.[1];
    if (file) writeFileSync(join(folder, file), `${output.join('\n')}\n`);
  }
});
afterAll(() => run.stop());

const outcomeOf = (line: string) =>
  new Promise<string[]>((resolve) => {
    const command = adminLine(run.data, line.replace(INVOCATION, '').split(' '));
    execFile('sh', ['-c', '"$@" 2>&1', 'sh', ...command], { cwd: folder }, (_, output) =>
      resolve(output.trimEnd().split('\n')),
    );
  });

describe('what the pages show of the commands', () => {
  const commands = entries.filter(({ line }) => line.startsWith(INVOCATION));

  test.each(commands)('is the output of `$line`', async ({ line, output }) => {
    const outcome = (await outcomeOf(line)).map(timeless);
    const isCut = output.at(-1) === '…';
    const shown = (isCut ? output.slice(0, -1) : output).map(timeless);
    for (const [index, text] of shown.entries()) {
      // A line may be cut, too, such as the rule below the titles.
      if (text.endsWith('…')) expect(outcome[index]?.startsWith(text.slice(0, -1))).toBe(true);
      else expect(outcome[index]).toBe(text);
    }
    if (!isCut) expect(outcome).toHaveLength(shown.length);
  });
});
