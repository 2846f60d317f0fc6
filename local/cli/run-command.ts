import { parseArgs } from 'node:util';
import { addDemoClients } from '../demo/add-demo-clients.ts';
import { fillWithDemo } from '../demo/fill-with-demo.ts';
import { type RunStep, start } from '../run.ts';
import { StartupError } from '../startup-error.ts';
import { banner, demoRefused, requestLine, showSteps, USAGE } from './console.ts';

export type Terminal = {
  print: (text: string) => void;
  printError: (line: string) => void;
  /** Resolves when the run must end, such as after Ctrl-C. */
  stopSignal: Promise<unknown>;
  /** Ends a run that does not stop in time. */
  kill: () => void;
};

/** Runs the command until the stop signal or an error, and returns its exit code. */
export const runCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  try {
    const options = readOptions(args);
    if (options.help) terminal.print(`${USAGE}\n`);
    else await serve(options, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    terminal.printError(error.message);
    return 1;
  }
};

type Options = ReturnType<typeof readOptions>;

const readOptions = (args: string[]) => {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string', default: '3000' },
        data: { type: 'string', default: '.local' },
        stage: { type: 'string' },
        assembly: { type: 'string' },
        memory: { type: 'boolean', default: false },
        demo: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
        'no-throttle': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > 65_535) {
      throw new StartupError(`--port needs a number from 0 (any free port) to 65535, not ${values.port}.`);
    }
    if (values.data === '') throw new StartupError('--data needs a folder.');
    return { ...values, port };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const [problem] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new StartupError(`${problem}; --help lists the options.`);
  }
};

const serve = async (options: Options, terminal: Terminal) => {
  const { printError, stopSignal } = terminal;
  const aborting = new AbortController();
  const killLater = () =>
    setTimeout(() => {
      printError(`The run did not end within ${STOP_TIMEOUT_MS / 1_000} seconds, so its process was killed.`);
      terminal.kill();
    }, STOP_TIMEOUT_MS).unref();
  void stopSignal.then(() => {
    killLater();
    aborting.abort();
  });
  try {
    await serveUntil(aborting.signal, options, terminal, killLater);
  } catch (error) {
    // The signal aborts the start, so a failure of the start is not an error.
    if (!aborting.signal.aborted) throw error;
  }
};

const STOP_TIMEOUT_MS = 5_000;

const serveUntil = async (
  signal: AbortSignal,
  options: Options,
  { print, printError, stopSignal }: Terminal,
  killLater: () => unknown,
) => {
  const runStep: RunStep = options.quiet ? (_, action) => action() : showSteps(print);
  const run = await start({
    port: options.port,
    data: options.data,
    isInMemory: options.memory,
    isThrottled: !options['no-throttle'],
    stage: options.stage,
    settings: options.demo && !options.assembly ? JSON.stringify(addDemoClients('cdk.json')) : undefined,
    assembly: options.assembly,
    signal,
    runStep,
    onServed: (served) => options.quiet || print(`${requestLine(served)}\n`),
    onFunctionLog: (line) => line.includes('"level":"ERROR"') && printError(line),
    onProblem: printError,
  });
  try {
    if (options.demo) {
      const isAdded = await runStep('Filling the tables with the demo', () =>
        fillWithDemo(run.outputs, new Date(), signal),
      );
      if (!isAdded) printError(demoRefused(options.data));
    }
    signal.throwIfAborted();
    print(`${options.quiet ? `Ready at ${run.outputs.BaseUrl}` : banner(run.outputs, options.data)}\n`);
    const engineExit = new Promise<'engine'>((resolve) => run.engine.onExit(() => resolve('engine')));
    if ((await Promise.race([stopSignal, engineExit])) !== 'engine') return;
    killLater();
    throw engineHasEnded(options.memory);
  } finally {
    await run.stop();
  }
};

const engineHasEnded = (isInMemory: boolean) =>
  new StartupError(
    isInMemory
      ? 'The DynamoDB engine has ended. Its data was in memory and is lost.'
      : 'The DynamoDB engine has ended. Its data is still in the data folder. Start the run again.',
  );
