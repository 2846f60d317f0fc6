import { spawn } from 'node:child_process';
import { once } from 'node:events';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Runs a command at a terminal, made by `script` of util-linux, which Linux has. What it says on both of its outputs
 * comes together there, as a person sees it.
 */
export const atTerminal = (line: readonly string[], env: Record<string, string> = {}) => {
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', line.map(quoted).join(' '), '/dev/null'],
    {
      env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
  });
  return {
    seen: () => seen,
    /** Types this once these words are on the screen. */
    type: async (keys: string, words = '') => {
      while (!seen.includes(words)) await once(child.stdout, 'data');
      child.stdin.write(keys);
    },
    /** The code that the command itself ended with. */
    exit: once(child, 'close').then(([code]: unknown[]) => ({ code, seen })),
  };
};
