import { visible } from './text-table.ts';
import { grouped } from './words.ts';

/** Standard error: what is no data goes here, and what is drawn over again and again is no data. */
const { stderr } = process;

let bar: string | undefined;

const clear = () => {
  if (bar !== undefined) stderr.write('\r\u001b[K');
};

/** A line for the person at the terminal; a bar that is being drawn stays below it. */
export const say = (text: string) => {
  clear();
  // What is repeated of a file, a table or a command line must not steer the terminal.
  stderr.write(`${text.split('\n').map(visible).join('\n')}\n`);
  if (bar !== undefined) stderr.write(bar);
};

type Progress = { reach(done: number): void; end(): void };

const REDRAWN_EVERY_MS = 100;
const BAR_WIDTH = 24;

/** Shows how far long work has come, and leaves nothing of it behind; in a pipe, nothing. Of how much is not always known. */
export const withProgress = async <T>(
  what: string,
  total: number | undefined,
  work: (reach: (done: number) => void) => Promise<T>,
): Promise<T> => {
  const progress = showProgress(what, total);
  try {
    return await work(progress.reach);
  } finally {
    progress.end();
  }
};

const showProgress = (what: string, total?: number): Progress => {
  if (!stderr.isTTY) return { reach: () => {}, end: () => {} };
  const startedAt = Date.now();
  let drawnAt = 0;
  return {
    reach: (done) => {
      const now = Date.now();
      if (now - drawnAt < REDRAWN_EVERY_MS && done !== total) return;
      drawnAt = now;
      clear();
      bar = draw({ what, done, total, elapsedMs: now - startedAt }).slice(0, (stderr.columns || 80) - 1);
      stderr.write(bar);
    },
    end: () => {
      clear();
      bar = undefined;
    },
  };
};

type State = { what: string; done: number; total: number | undefined; elapsedMs: number };

const draw = ({ what, done, total, elapsedMs }: State) => {
  const count = grouped(done);
  if (!total) return `${what} ${count}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const left = share > 0 && share < 1 ? `, ${Math.ceil((elapsedMs / share - elapsedMs) / 1_000)} s left` : '';
  return `${what} ${bar} ${Math.floor(share * 100)} % (${count} of ${grouped(total)}${left})`;
};
