import { runCommand } from './run-command.ts';

// A full disk or a closed pipe must not end the run.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

const stopSignal = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  // A program that started this process with `fork` has ended.
  process.once('disconnect', resolve);
  process.channel?.unref();
  // npm does not forward SIGTERM. Without this check, the process would outlive npm and keep the port.
  const parentId = process.ppid;
  if (process.env['npm_lifecycle_event'] === 'start')
    setInterval(() => process.ppid !== parentId && resolve(), 500).unref();
});

// The data folder contains passwords and balances, so other users must not read it.
process.umask(0o077);
process.exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  printError: (line) => process.stderr.write(`${line}\n`),
  stopSignal,
  kill: () => process.exit(1),
});
