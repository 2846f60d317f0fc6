import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const CLEAR_LINE = '\u001b[K';

/** The lines that a terminal shows. A carriage return, or the sign that clears a line, starts a line anew. */
const visibleLines = (output: string) =>
  output
    .replaceAll(/\r+\n/g, '\n')
    .split('\n')
    .map((line) =>
      stripVTControlCharacters(line.replaceAll(CLEAR_LINE, '\r').split('\r').at(-1) ?? '').trimEnd(),
    );

/** Runs a command at a terminal of this width, made by `script` of util-linux. */
export const atTerminal = (command: string, columns: number, env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(
    'script',
    [
      '--quiet',
      '--return',
      '--command',
      `stty cols ${columns} rows 50; bash -c ${quoted(command)}`,
      '/dev/null',
    ],
    // The warnings of npm depend on the machine.
    {
      env: { ...process.env, TERM: 'xterm', npm_config_loglevel: 'error', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const lines = () => visibleLines(output.trim());
  return {
    lines,
    interrupt: () => child.stdin.write('\u0003'),
    linesAtExit: new Promise<string[]>((resolve) => child.once('close', () => resolve(lines()))),
    /** Resolves once a line of the output has this text. */
    shows: (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => output.includes(text) && resolve();
        child.stdout.on('data', look);
        child.once('close', () => reject(new Error(`The command ended without "${text}":\n${output}`)));
      }),
  };
};
