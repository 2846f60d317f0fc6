import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addClients } from '../../local/clients/add-clients.ts';
import { openPasswords } from '../../local/clients/passwords.ts';
import { fillWithDemo } from '../../local/demo/fill-with-demo.ts';
import { projectFolder } from '../support/run-app.ts';
import { testClient } from '../support/tables.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment } from './tables.ts';

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

const { names: Tables, data } = await emptyDeployment({ clients: [] });
const outputs = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
const table = {
  dynamodb: testClient(),
  outputs: outputs.Stack.Outputs,
  passwords: openPasswords(undefined),
};
const run = {
  outputs: { ...outputs, Tables },
  addClients: (names: readonly string[], now: Date) => addClients(table, names, now),
};
await fillWithDemo(run, new Date(), new AbortController().signal);
for (const { line, output } of entries) {
  const file = /^cat (.*)$/.exec(line)?.[1];
  if (file) writeFileSync(join(data, file), `${output.join('\n')}\n`);
}

const outcomeOf = async (line: string) => {
  let seen = '';
  const words = line.replace(INVOCATION, '').split(' ');
  const args = words.map((word) => (word.endsWith('.csv') ? join(data, word) : word));
  await adminHereOn(data, args, {
    onScreen: (text) => {
      seen += text;
    },
  });
  return seen.trimEnd().split('\n');
};

const commands = entries.filter(({ line }) => line.startsWith(INVOCATION));

test.each(commands)('the pages show the output of `$line`', async ({ line, output }) => {
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
