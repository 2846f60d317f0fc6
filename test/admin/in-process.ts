import { vi } from 'vitest';
import { runCommand } from '../../admin/main.ts';

/** What a command says, and the code that it answers. */
export const hearing = async (run: () => Promise<number>) => {
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

/** Runs a command here, where what matters is what it does and not that it is a process; that costs a tenth. */
export const adminHere = (line: readonly string[]) => hearing(() => runCommand(line));

/** Likewise, on the local run in a folder. */
export const adminHereOn = (data: string, args: readonly string[]) =>
  adminHere([...args, '--local', '--data', data]);
