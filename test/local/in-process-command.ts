import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, vi } from 'vitest';
import { runCommand } from '../../local/cli/run-command.ts';
import { assembly } from '../support/assembly.ts';
import { eventually, requestsTo, stops } from '../support/local-run.ts';

/** Runs the command in this process. */
export const runLocal = (args: string[]) => {
  const output = { stdout: '', stderr: '' };
  const { promise: stopSignal, resolve: stopNow } = Promise.withResolvers<void>();
  let isOver = false;
  const exit = runCommand(args, {
    print: (text) => {
      output.stdout += text;
    },
    printError: (line) => {
      output.stderr += `${line}\n`;
    },
    stopSignal,
    kill: () => {},
  })
    .finally(() => {
      isOver = true;
    })
    .then((code) => ({ code, ...output }));
  const stop = () => {
    stopNow();
    return exit;
  };
  stops.add(() => stop().catch(() => {}));
  return { output, exit, stop, isOver: () => isOver };
};

/** Starts the command in this process, and waits until it is ready. */
export const startInProcess = async (data: string, args: string[]) => {
  const run = runLocal(['--port=0', `--data=${data}`, ...args]);
  await eventually(async () => {
    if (run.isOver()) throw new Error(`It ended: ${JSON.stringify(await run.exit)}`);
    return /Ready at|Ctrl-C ends everything/.test(run.output.stdout);
  });
  return { ...run, ...requestsTo(data), pid: process.pid };
};

/** The same with the engine of the test run. Its variable stays until the test removes it. */
export const startWithEngine = (data: string, args: string[]) => {
  vi.stubEnv('DYNAMODB_ENDPOINT', inject('dynamoDbEndpoint'));
  return startInProcess(data, args);
};

export const inFolder = async (data: string) => [
  '--port=0',
  `--assembly=${await assembly()}`,
  `--data=${data}`,
];

/** Expects one line with the cause on standard error, no address, and exit code 1. */
export const expectOneLine = async (args: string[], what: RegExp) => {
  const { code, stdout, stderr } = await runLocal(args).exit;
  expect(stderr).toMatch(what);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stdout).not.toContain('http');
  expect(code).toBe(1);
};

/** Runs the lines of a script, and returns what they print. */
export const outputOf = async (script: string) =>
  (await promisify(execFile)('bash', ['-c', script], { env: { PATH: process.env['PATH'] } })).stdout;
