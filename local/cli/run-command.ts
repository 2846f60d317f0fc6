import { Command } from '@commander-js/extra-typings';
import { CommanderError, InvalidArgumentError } from 'commander';
import { fillWithDemo } from '../demo/fill-with-demo.ts';
import { type RunStep, start } from '../run.ts';
import { StartupError } from '../startup-error.ts';
import { banner, demoRefused, requestLine, showSteps } from './messages.ts';

type Terminal = {
  print: (text: string) => void;
  printError: (line: string) => void;
  /** Resolves when the run must end, for example after Ctrl-C. */
  stopSignal: Promise<unknown>;
  /** Ends a run that does not stop in time. */
  kill: () => void;
};

/** Runs the command until the stop signal or an error, and returns its exit code. */
export const runCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  try {
    await serve(createProgram(terminal).parse(args, { from: 'user' }).opts(), terminal);
    return 0;
  } catch (error) {
    // Commander has printed the help or the error.
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof StartupError)) throw error;
    terminal.printError(error.message);
    return 1;
  }
};

const createProgram = ({ print, printError }: Terminal) =>
  new Command('npm start --')
    .description('Runs the deployed template on this machine.')
    .option('--port <n>', 'the port; 0 chooses a free one', parsePort, 3_000)
    .option('--data <dir>', 'the folder that keeps the data between runs', parseFolder, '.local')
    .option('--memory', 'keep the data in memory only')
    .option('--demo', 'fill empty tables with a month of data from four warehouses')
    .option('--quiet', 'print only the base URL and errors')
    .option('--no-throttle', 'apply no rate limits and no quotas')
    .option('--stage <name>', 'use a stage of the settings in cdk.json')
    .option('--assembly <dir>', 'run an existing synthesis')
    .helpOption('--help', 'show this text')
    .configureOutput({ writeOut: print, writeErr: (text) => printError(text.trimEnd()) })
    .exitOverride();

type Options = ReturnType<ReturnType<typeof createProgram>['opts']>;

const parsePort = (text: string) => {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Give a number from 0 (any free port) to 65535.');
};

const parseFolder = (text: string) => {
  if (text !== '') return text;
  throw new InvalidArgumentError('Give a folder.');
};

const STOP_TIMEOUT_MS = 5_000;

const serve = async (options: Options, { print, printError, stopSignal, kill }: Terminal) => {
  const aborting = new AbortController();
  const { signal } = aborting;
  const killLater = () =>
    setTimeout(() => {
      printError(`The run did not end within ${STOP_TIMEOUT_MS / 1_000} seconds, so its process was killed.`);
      kill();
    }, STOP_TIMEOUT_MS).unref();
  void stopSignal.then(() => {
    killLater();
    aborting.abort();
  });
  const runStep: RunStep = options.quiet ? (_, action) => action() : showSteps(print);
  let stop = async () => {};
  try {
    const run = await start({
      port: options.port,
      data: options.data,
      isInMemory: options.memory === true,
      hasLimits: options.throttle,
      stage: options.stage,
      assembly: options.assembly,
      signal,
      runStep,
      onServed: (served) => {
        if (!options.quiet) print(`${requestLine(served)}\n`);
      },
      onFunctionLog: (line) => {
        if (line.includes('"level":"ERROR"')) printError(line);
      },
      onMessage: ({ subject, message }) => {
        if (!options.quiet) print(`${subject}\n${message}\n`);
      },
      onNotice: printError,
    });
    stop = run.stop;
    const { outputs } = run;
    if (options.demo) {
      const fill = () => run.failIfEngineEnds(fillWithDemo(run, new Date(), signal));
      const isAdded = await runStep('Filling the tables with the demo', fill);
      if (!isAdded) printError(demoRefused(options.data));
    }
    signal.throwIfAborted();
    print(`${options.quiet ? `Ready at ${outputs.BaseUrl}` : banner(outputs, options.data)}\n`);
    await run.failIfEngineEnds(stopSignal);
  } catch (error) {
    // The stop signal aborts the start, so the start fails as intended.
    if (signal.aborted) return;
    killLater();
    throw error;
  } finally {
    await stop();
  }
};
