import { Command, Option } from '@commander-js/extra-typings';
import { addBalances } from './commands/balances.ts';
import { addChanges } from './commands/changes.ts';
import { addCheck } from './commands/check.ts';
import { addClients } from './commands/clients.ts';
import { addHistory } from './commands/history.ts';
import { addLists } from './commands/lists.ts';
import { addReport } from './commands/report.ts';
import { addSnapshots } from './commands/snapshots.ts';
import { examples, invocation } from './examples.ts';

/** The whole of the command line; the commands add themselves. */
export const createProgram = () => {
  const program = new Command(invocation)
    .description(
      'Fills and reads the tables of a Warehouse Control Interface, and looks after its credentials.',
    )
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('(--help tells more)')
    .exitOverride()
    .addHelpText(
      'after',
      examples(
        'codes import codes.csv --dry-run',
        'balances --local',
        'check --json',
        'snapshots diff previous latest',
      ),
    )
    .addOption(new Option('--local', 'work on the local run (npm start) instead of a deployment'))
    .addOption(new Option('--data <dir>', 'with --local: the data folder of the run').default('.local'))
    .addOption(new Option('--stack <name>', 'the stack of the deployment').default('WarehouseControl'))
    .addOption(new Option('--region <region>', 'its region (else that of the environment or the profile)'))
    .addOption(new Option('--profile <name>', 'the profile of the AWS configuration to use'))
    .addOption(new Option('--json', 'print JSON'))
    .addOption(new Option('--csv', 'print CSV'))
    .addOption(
      new Option('--separator <sign>', 'with --csv: what separates cells').choices([',', ';']).default(','),
    );
  addLists(program);
  addChanges(program);
  addSnapshots(program);
  addBalances(program);
  addHistory(program);
  addCheck(program);
  addClients(program);
  addReport(program);
  return program;
};
