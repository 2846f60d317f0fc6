import { CommanderError } from 'commander';
import { MINUTE_MS } from '../../../shared/time.ts';
import { explain, FAILED, Interrupted, messageOf, WRONG_USAGE, WrongUsage } from '../../text/failure.ts';
import { type Message, type StepWords, toText } from '../../text/message.ts';
import { toVisible } from '../../text/quote.ts';
import { formatNumber } from '../../text/words.ts';

/** Standard output carries data only. Messages and progress go to standard error. */
const { stdout, stderr } = process;

let printed = false;
export const hasPrinted = () => printed;

/** Writes data to standard output, and waits while its reader is slower. A file or a pipe gets the data exactly. */
export const print = (piece: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    printed = true;
    if (stdout.write(stdout.isTTY ? visibleLines(String(piece)) : piece)) resolve();
    else stdout.once('drain', resolve);
  });

/** Shows control characters as numbers, except line ends: text from a file or a table must not control the terminal. */
const visibleLines = (text: string) => text.replaceAll(/[^\r\n]+|\r(?!\n)/g, toVisible);

/** Ends the process when nobody reads its output. `head` closes standard output once it has read enough. */
export const exitOnClosedOutput = (exitCode: number) => {
  stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(exitCode);
    say(`The output cannot be written: ${explain(error)}`);
    process.exit(FAILED);
  });
  // Messages to a closed terminal fail, but the command should still finish its writes.
  stderr.on('error', () => {});
};

const COMMANDS: StepWords = {
  seeClients: () => '`clients list`',
  seeClient: (name) => `\`clients show ${name}\``,
  addClient: (name) => `\`clients add ${name}\``,
  unlockClient: (name) => `\`clients unlock ${name}\``,
  setClient: (attribute) => `\`clients set NAME --${attribute}\``,
  replacePassword: (name) => (name ? `\`clients rotate ${name} --again\`` : '--again'),
  share: () => 'add --share',
  chooseSign: (sign) => `add --decimal ${sign}`,
  sign: (sign) => `--decimal ${sign}`,
};

export const inWordsOfCommands = (message: Message) => toText(message, COMMANDS);

let bar: string | undefined;

const clear = () => {
  if (bar !== undefined) stderr.write('\r\u001b[K');
};

/** Writes a message to standard error, above the progress bar. */
export const say = (message: Message) => {
  clear();
  stderr.write(`${visibleLines(inWordsOfCommands(message))}\n`);
  if (bar !== undefined) stderr.write(bar);
};

const REDRAWN_EVERY_MS = 100;
const BAR_WIDTH = 24;
/** An earlier estimate would be too long, because the first item takes longer than the others. */
const ESTIMATED_AFTER_MS = 2_000;

/** Called with the number of items that are done. Without a number, one more item is done. The bar shows `counted` in place of the numbers. */
type OnProgress = (done?: number, total?: number, counted?: string) => void;

/** Shows a progress bar while the work runs, or a counter if no total is known. Shows nothing if standard error is a pipe. */
export const withProgress = async <T>(
  title: string,
  total: number | undefined,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> => {
  if (!stderr.isTTY) return work(() => {});
  const startedAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let reached = 0;
  const onProgress: OnProgress = (done = reached + 1, currentTotal = total, counted) => {
    reached = done;
    const now = performance.now();
    if (now - drawnAt < REDRAWN_EVERY_MS && done !== currentTotal) return;
    drawnAt = now;
    clear();
    bar = draw({ title, done, total: currentTotal, counted, elapsedMs: now - startedAt }).slice(
      0,
      (stderr.columns || 80) - 1,
    );
    stderr.write(bar);
  };
  try {
    return await work(onProgress);
  } finally {
    clear();
    bar = undefined;
  }
};

type State = {
  title: string;
  done: number;
  total: number | undefined;
  counted: string | undefined;
  elapsedMs: number;
};

const draw = ({ title, done, total, counted, elapsedMs }: State) => {
  const count = formatNumber(done);
  if (!total) return `${title} ${count}`;
  const fraction = Math.min(1, done / total);
  const filled = Math.round(fraction * BAR_WIDTH);
  const drawing = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const hasEstimate = fraction > 0 && fraction < 1 && elapsedMs >= ESTIMATED_AFTER_MS;
  const left = hasEstimate ? `, ${describeTime(elapsedMs / fraction - elapsedMs)} left` : '';
  return `${title} ${drawing} ${Math.floor(fraction * 100)} % (${counted ?? `${count} of ${formatNumber(total)}`}${left})`;
};

const describeTime = (ms: number) =>
  ms < 2 * MINUTE_MS ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / MINUTE_MS)} min`;

export const runToExitCode = async (run: () => Promise<number>, advice?: string): Promise<number> => {
  try {
    return await run();
  } catch (error) {
    // Commander has printed its message already. It also throws after --help, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
    say(messageOf(error, advice));
    if (error instanceof Interrupted) return error.exitCode;
    return error instanceof WrongUsage ? WRONG_USAGE : FAILED;
  }
};
