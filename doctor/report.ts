import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from './fact.ts';

export const countStates = (results: readonly Result[]) => {
  const count = (wanted: Result['state']) => results.filter(({ state }) => state === wanted).length;
  return `${count('ok')} ok, ${count('WRONG')} wrong, ${count('not asked')} not asked.`;
};

/** One line for the terminal. */
export const formatResult = ({ state, name, seen }: Result) =>
  `${state.padEnd('not asked'.length)}  ${name.padEnd(16)}  ${seen}`;

const toRow = ({ state, name, text, seen }: Result) => {
  const cells = [state, name, text, seen].map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' '));
  return `| ${cells.join(' | ')} |`;
};

/** Writes `<date>-<stage>.md`, and returns its path. */
export const writeReport = (folder: string, stage: string, where: string, results: readonly Result[]) => {
  const date = new Date().toISOString().slice(0, 10);
  const title = `# ${stage} on ${date}, ${where}\n\n${countStates(results)}\n`;
  const head = '| State | Fact | Expected | Seen |\n| --- | --- | --- | --- |';
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${date}-${stage}.md`);
  writeFileSync(file, [title, head, ...results.map(toRow), ''].join('\n'));
  return file;
};
