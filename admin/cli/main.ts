import { Command } from '@commander-js/extra-typings';
import { CommanderError } from 'commander';
import { listNames, tables } from '../../shared/tables.ts';
import { addOptions, describeExamples, invocation } from './terminal/define-command.ts';
import { endOnInterruption } from './terminal/interruption.ts';
import { commonOptions } from './terminal/options.ts';
import { exitOnClosedOutput, runToExitCode, say } from './terminal/terminal.ts';

type Add = (program: Command) => void;

/** Each command is loaded only when it is called, because its libraries take time to load. */
const commands: { names: readonly string[]; load: () => Promise<Add> }[] = [
  {
    names: listNames.map((name) => tables[name].list.command),
    load: async () => (await import('./lists/lists.ts')).addLists,
  },
  { names: ['changes'], load: async () => (await import('./stock/tables.ts')).addChanges },
  { names: ['snapshots'], load: async () => (await import('./stock/snapshots.ts')).addSnapshots },
  { names: ['balances'], load: async () => (await import('./stock/tables.ts')).addBalances },
  { names: ['history'], load: async () => (await import('./stock/history.ts')).addHistory },
  { names: ['compare'], load: async () => (await import('./stock/compare.ts')).addCompare },
  { names: ['check'], load: async () => (await import('./stock/check.ts')).addCheck },
  { names: ['told'], load: async () => (await import('./stock/told.ts')).addTold },
  { names: ['clients'], load: async () => (await import('./clients/clients.ts')).addClients },
  { names: ['sql'], load: async () => (await import('./stock/sql.ts')).addSql },
  { names: ['report'], load: async () => (await import('./stock/report.ts')).addReport },
  { names: ['console'], load: async () => (await import('./console.ts')).addConsole },
  { names: ['restore'], load: async () => (await import('./restore.ts')).addRestore },
];

/** Creates the program with the commands that the command line names. If it names none, the program has all commands. */
export const createProgram = async (commandLine: readonly string[] = []) => {
  const program = new Command(invocation)
    .description('Manage the lists, the balances and the clients of a Warehouse Control Interface.')
    .configureHelp({ sortSubcommands: false })
    .optionsGroup('Options of all commands:')
    .showHelpAfterError('(--help shows more)')
    .exitOverride()
    .addHelpText(
      'after',
      describeExamples([
        'codes import codes.csv',
        'balances --local',
        'check',
        'snapshots diff previous latest',
      ]),
    );
  addOptions(program, commonOptions);
  const named = commands.filter(({ names }) => names.some((name) => commandLine.includes(name)));
  for (const { load } of named.length > 0 ? named : commands) (await load())(program);
  return program;
};

export const runCommand = (commandLine: readonly string[]) =>
  runToExitCode(async () => {
    const program = await createProgram(commandLine);
    await program.parseAsync(commandLine, { from: 'user' }).catch((error: unknown) => {
      const isUnknownOption = error instanceof CommanderError && error.code === 'commander.unknownOption';
      if (isUnknownOption) say('If it is a name, not an option, write it last, with -- before it.');
      throw error;
    });
    return 0;
  });

if (import.meta.main) {
  exitOnClosedOutput(0);
  endOnInterruption();
  process.exitCode = await runCommand(process.argv.slice(2));
}
