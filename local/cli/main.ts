import { parseArgs } from 'node:util';
import { addDemoClients } from '../demo/add-demo-clients.ts';
import { fillWithDemo } from '../demo/fill-with-demo.ts';
import { type Outputs, type RunStep, start } from '../run.ts';
import { StartupError } from '../startup-error.ts';
import { banner, demoRefused, requestLine, showSteps, USAGE } from './console.ts';

const print = (text: string) => process.stdout.write(text);
const printLine = (text: string) => print(`${text}\n`);
const printError = (text: string) => process.stderr.write(`${text}\n`);

// A full disk or a closed pipe must not end the run.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

const readOptions = () => {
  try {
    const { values } = parseArgs({
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

const waitForSignal = () =>
  new Promise<'signal'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve('signal'));
    // A program that started this one with a channel has ended.
    process.once('disconnect', () => resolve('signal'));
    process.channel?.unref();
    if (process.env['npm_lifecycle_event'] === 'start') onParentExit(() => resolve('signal'));
  });

/** npm does not forward SIGTERM. Without this check, the process would outlive npm and keep the port. */
const onParentExit = (listener: () => void) => {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && listener(), 500).unref();
};

type CommandLineOptions = ReturnType<typeof readOptions>;

const startWith = (options: CommandLineOptions, signal: AbortSignal, runStep: RunStep) =>
  start({
    port: options.port,
    data: options.data,
    isInMemory: options.memory,
    isThrottled: !options['no-throttle'],
    stage: options.stage,
    settings: options.demo && !options.assembly ? JSON.stringify(addDemoClients('cdk.json')) : undefined,
    assembly: options.assembly,
    signal,
    runStep,
    onServed: (served) => options.quiet || printLine(requestLine(served)),
    onFunctionLog: (line) => line.includes('"level":"ERROR"') && printError(line),
    onProblem: printError,
  });

const STOP_TIMEOUT_MS = 5_000;

/** Exits this process if the run does not stop in time. */
const forceExitLater = () =>
  setTimeout(() => {
    printError(`The run did not end within ${STOP_TIMEOUT_MS / 1_000} seconds, so its process was killed.`);
    process.exit(1);
  }, STOP_TIMEOUT_MS).unref();

const addDemo = async (outputs: Outputs, data: string, runStep: RunStep, signal: AbortSignal) => {
  const isAdded = await runStep('Filling the tables with the demo', () =>
    fillWithDemo(outputs, new Date(), signal),
  );
  if (!isAdded) printError(demoRefused(data));
};

const serve = async (options: CommandLineOptions, stopSignal: Promise<'signal'>) => {
  const startAbort = new AbortController();
  void stopSignal.then(() => {
    forceExitLater();
    startAbort.abort();
  });
  const runStep: RunStep = options.quiet ? (_, action) => action() : showSteps(print);
  const startup = startWith(options, startAbort.signal, runStep);
  const filling = startup.then(async ({ outputs }) => {
    if (options.demo) await addDemo(outputs, options.data, runStep, startAbort.signal);
  });
  const firstEvent = await Promise.race([
    stopSignal,
    filling.then(
      () => 'ready',
      () => 'failed',
    ),
  ]);
  if (firstEvent === 'signal') {
    // The signal aborts the start, so a failure of the start is not an error.
    return (await startup.catch(() => undefined))?.stop();
  }
  const run = await startup;
  await filling;
  const engineExit = new Promise<'engine'>((resolve) => run.engine.onExit(() => resolve('engine')));
  printLine(options.quiet ? `Ready at ${run.outputs.BaseUrl}` : banner(run.outputs, options.data));
  const reason = await Promise.race([stopSignal, engineExit]);
  if (reason === 'engine') forceExitLater();
  await run.stop();
  if (reason === 'engine')
    throw new StartupError(
      options.memory
        ? 'The DynamoDB engine has ended. Its data was in memory and is lost.'
        : 'The DynamoDB engine has ended. Its data is still in the data folder. Start the run again.',
    );
};

const main = async () => {
  const options = readOptions();
  // The data folder contains passwords and balances, so other users must not read it.
  process.umask(0o077);
  if (options.help) printLine(USAGE);
  else await serve(options, waitForSignal());
};

try {
  await main();
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  printError(error.message);
  process.exitCode = 1;
}
