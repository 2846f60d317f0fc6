import { AsyncLocalStorage } from 'node:async_hooks';
import { PassThrough, Readable } from 'node:stream';
import { expect, vi } from 'vitest';
import { runCommand } from '../../admin/cli/main.ts';
import type { Sink } from '../../admin/text/output.ts';

type Input = {
  /** What standard input has. */
  input?: string | Buffer;
  /** What a person types at a terminal, each after these words are on the screen. */
  typed?: readonly (readonly [words: string, keys: string])[];
  /** Gets all that a person sees, in its order. */
  onScreen?: (text: string) => void;
};

type Screen = { stdout: string; stderr: string; onText: (text: string) => void };

/** Several commands may run at once. What a signal makes one say goes to the one that started last. */
const screens = new AsyncLocalStorage<Screen>();
const running: Screen[] = [];

const captureWrites = () =>
  (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      const screen = screens.getStore() ?? running.at(-1);
      if (screen) screen[name] += String(text);
      screen?.onText(String(text));
      return true;
    }),
  );
let spies: ReturnType<typeof captureWrites> = [];

/** Captures the output of a command, and its exit code. */
export const captureOutput = async (run: () => Promise<number>, { input, typed, onScreen }: Input = {}) => {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true });
  const waiting = [...(typed ?? [])];
  const screen: Screen = {
    stdout: '',
    stderr: '',
    onText: (text) => {
      onScreen?.(text);
      const [words, keys] = waiting[0] ?? [];
      if (words === undefined || !screen.stderr.includes(words)) return;
      waiting.shift();
      setImmediate(() => keyboard.write(keys));
    },
  };
  const stdin = typed ? keyboard : Readable.from([Buffer.from(input ?? '')]);
  const stdinSpy =
    typed || input !== undefined
      ? vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never)
      : undefined;
  if (running.push(screen) === 1) spies = captureWrites();
  try {
    const code = await screens.run(screen, run);
    return { code, stdout: screen.stdout, stderr: screen.stderr };
  } finally {
    stdinSpy?.mockRestore();
    running.splice(running.indexOf(screen), 1);
    if (running.length === 0) for (const spy of spies) spy.mockRestore();
  }
};

/** Runs a command in this process, which costs a tenth of a new one. */
export const adminHere = (line: readonly string[], input?: Input) =>
  captureOutput(() => runCommand(line), input);

/** Runs a command in this process on the local run in a folder. */
export const adminHereOn = (data: string, args: readonly string[], input?: Input) =>
  adminHere([...args, '--local', '--data', data], input);

/** The outcome of a command that is refused in these words, and has no data. */
export const refusal = (words: string | RegExp, code = 1) => {
  return { code, stdout: '', stderr: expect.stringMatching(words) };
};

/** What is written piece by piece. */
export const bytesOf = async (write: (sink: Sink) => Promise<unknown>) => {
  const pieces: Buffer[] = [];
  await write(async (piece) => void pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
};
