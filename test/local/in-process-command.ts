import { runCommand } from '../../local/cli/run-command.ts';
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
