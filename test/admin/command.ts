import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sharedFolders } from '../support/processes.ts';
import { projectFolder } from '../support/run-app.ts';

const bareEnvironment = () => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  ...sharedFolders(),
});

type Outcome = { code: unknown; stdout: string; stderr: string };

/** Runs a program to its end in a bare environment. */
export const runProgram = ([program = '', ...args]: readonly string[], { input = '' } = {}) =>
  new Promise<Outcome>((resolve) => {
    // One that hangs ends before its test.
    const ending = { timeout: 110_000, killSignal: 'SIGKILL' } as const;
    const options = { env: bareEnvironment(), maxBuffer: 100_000_000, ...ending };
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr }),
    );
    // A command that reads nothing may have ended before its input arrives.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });

/** The whole line of a command on the local run in a folder. */
const adminLine = (data: string, args: readonly string[]) => [
  process.execPath,
  join(projectFolder, 'admin/cli/main.ts'),
  ...args,
  ...['--local', '--data', data],
];

/** Runs a command as a process on the local run in a folder. */
export const admin = (data: string, args: readonly string[]) => runProgram(adminLine(data, args));

/** Starts a command as a process on the local run in a folder. */
export const startAdmin = (data: string, args: readonly string[], environment = {}) => {
  const [program = '', ...line] = adminLine(data, args);
  return spawn(program, line, { env: { ...bareEnvironment(), ...environment } });
};

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Runs a command on the local run in a folder at a terminal, made by `script` of util-linux, which Linux has. What it
 * says on both of its outputs comes together there, as a person sees it.
 */
export const adminAtTerminal = (data: string, args: readonly string[]) => {
  const line = adminLine(data, args).map(quoted).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm', ...sharedFolders() },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
  });
  return {
    /** Types this once these words are on the screen. */
    type: async (keys: string, words: string) => {
      while (!seen.includes(words)) await once(child.stdout, 'data');
      child.stdin.write(keys);
    },
    /** The code that the command itself ended with. */
    exit: once(child, 'close').then(([code]: unknown[]) => ({ code, seen })),
  };
};
