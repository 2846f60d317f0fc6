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

/** Captures the output of a command, and its exit code. */
export const captureOutput = async (run: () => Promise<number>, { input, typed, onScreen }: Input = {}) => {
  const output = { stdout: '', stderr: '' };
  const keyboard = Object.assign(new PassThrough(), { isTTY: true });
  const waiting = [...(typed ?? [])];
  const answer = () => {
    const [words, keys] = waiting[0] ?? [];
    if (words === undefined || !output.stderr.includes(words)) return;
    waiting.shift();
    setImmediate(() => keyboard.write(keys));
  };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text);
      onScreen?.(String(text));
      answer();
      return true;
    }),
  );
  if (input !== undefined || typed) {
    const stdin = typed ? keyboard : Readable.from([Buffer.from(input ?? '')]);
    spies.push(vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never) as never);
  }
  try {
    return { code: await run(), ...output };
  } finally {
    for (const spy of spies) spy.mockRestore();
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
