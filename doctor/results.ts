import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain, Failure } from '../admin/text/failure.ts';
import { formatTime } from '../admin/text/time.ts';
import type { Result } from './fact.ts';

export const countStates = (results: readonly Result[]) => {
  const count = (wanted: Result['state']) => results.filter(({ state }) => state === wanted).length;
  return `${count('ok')} ok, ${count('WRONG')} wrong, ${count('not checked')} not checked.`;
};

/** One line for the terminal. */
export const formatResult = ({ state, name, seen }: Result) =>
  `${state.padEnd('not checked'.length)}  ${name.padEnd(16)}  ${seen}`;

const toRow = ({ state, name, text, seen }: Result) => {
  const cells = [state, name, text, seen].map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' '));
  return `| ${cells.join(' | ')} |`;
};

/** Writes `<date>-<trial>.md` without results. Returns a function that writes results to this file and returns its path. */
export const startResults = (folder: string, trial: string, account: string) => {
  const date = formatTime(new Date()).slice(0, 10);
  const file = join(folder, `${date}-${trial}.md`);
  const write = (results: readonly Result[]) => {
    const title = `# ${trial} on ${date}, ${account}\n\n${countStates(results)}\n`;
    const head = '| State | Fact | Expected | Seen |\n| --- | --- | --- | --- |';
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, [title, head, ...results.map(toRow), ''].join('\n'));
    } catch (error) {
      throw new Failure(`The results cannot be written to ${file}: ${explain(error)}.`);
    }
    return file;
  };
  write([]);
  return write;
};
