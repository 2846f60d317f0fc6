import { vi } from 'vitest';
import { runCommand } from '../../admin/main.ts';

/** Captures the output of a command, and its exit code. */
export const captureOutput = async (run: () => Promise<number>) => {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await run(), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
};

/** Runs a command in this process, which costs a tenth of a new one. */
export const adminHere = (line: readonly string[]) => captureOutput(() => runCommand(line));

/** Runs a command in this process on the local run in a folder. */
export const adminHereOn = (data: string, args: readonly string[]) =>
  adminHere([...args, '--local', '--data', data]);
