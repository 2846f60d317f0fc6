/** Standard error: what is no data goes here, and what is drawn over again and again is no data. */
const { stderr } = process;

let bar: string | undefined;

const clear = () => {
  if (bar !== undefined) stderr.write('\r\u001b[K');
};

/** A line for the person at the terminal; a bar that is being drawn stays below it. */
export const say = (text: string) => {
  clear();
  stderr.write(`${text}\n`);
  if (bar !== undefined) stderr.write(bar);
};

export type Progress = { reach(done: number): void; end(): void };

const REDRAWN_EVERY_MS = 100;
const BAR_WIDTH = 24;

/** How far long work has come; in a pipe, nothing. Of how much is not always known. */
export const showProgress = (what: string, total?: number): Progress => {
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
  const count = done.toLocaleString('en-US');
  if (!total) return `${what} ${count}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const left = share > 0 && share < 1 ? `, ${Math.ceil((elapsedMs / share - elapsedMs) / 1_000)} s left` : '';
  return `${what} ${bar} ${Math.floor(share * 100)} % (${count} of ${total.toLocaleString('en-US')}${left})`;
};
