import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from './fact.ts';

const STATE_WIDTH = 'not asked'.length;
const NAME_WIDTH = 16;

export const isWrong = ({ state }: Result) => state === 'WRONG';

export const countStates = (results: readonly Result[]) => {
  const count = (wanted: Result['state']) => results.filter(({ state }) => state === wanted).length;
  return `${count('ok')} ok, ${count('WRONG')} wrong, ${count('not asked')} not asked.`;
};

const seenOf = ({ seen, todo }: Result) => `${seen}${todo ? `; ${todo}` : ''}`;

/** One line for the terminal. */
export const formatResult = (result: Result) =>
  `${result.state.padEnd(STATE_WIDTH)}  ${result.name.padEnd(NAME_WIDTH)}  ${seenOf(result)}`;

const toRow = (result: Result) => {
  const cells = [result.state, result.name, result.text, seenOf(result)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`;
};

/** Writes `<date>-<stage>.md`, and returns its path. */
export const writeReport = (folder: string, stage: string, where: string, results: readonly Result[]) => {
  const date = new Date().toISOString().slice(0, 10);
  const lines = [
    `# ${stage} on ${date}, ${where}`,
    '',
    countStates(results),
    '',
    '| State | Fact | Expected | Seen |',
    '| --- | --- | --- | --- |',
    ...results.map(toRow),
    '',
  ];
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${date}-${stage}.md`);
  writeFileSync(file, lines.join('\n'));
  return file;
};
