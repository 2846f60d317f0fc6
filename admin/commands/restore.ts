import { Argument, type Command } from '@commander-js/extra-typings';
import { tableNames } from '../../shared/tables.ts';
import { examples } from '../cli/arguments.ts';
import { openSession } from '../deployment/session.ts';
import { restoreTable } from '../restore/restore-table.ts';

export const addRestore = (program: Command) => {
  program
    .command('restore')
    .description('write the rows that a table lacks from a restored copy; rows that are in the table stay')
    .addArgument(new Argument('<table>', 'the table of the deployment').choices(tableNames))
    .requiredOption('--from <name>', 'the restored table, in the same account and region')
    .option('--dry-run', 'show what is missing and write nothing')
    .option('--overwrite', 'for lists: also overwrite the rows that differ')
    .option('--yes', 'overwrite without asking')
    .addHelpText(
      'after',
      examples(
        'restore MaterialCodes --from codes-of-monday --dry-run',
        'restore MaterialCodes --from codes-of-monday --overwrite',
        'restore BalanceSnapshots --from snapshots-of-monday',
      ),
    )
    .action(async (table, options, command) => {
      await restoreTable(await openSession(command), table, options);
    });
};
