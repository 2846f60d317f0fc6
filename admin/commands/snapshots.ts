import type { Command } from '@commander-js/extra-typings';
import { atOption, clientOption, examples, lastOption, sinceOption } from '../cli/arguments.ts';
import type { Column } from '../cli/output.ts';
import { readRange } from '../cli/period.ts';
import { say } from '../cli/terminal.ts';
import { formatTime } from '../cli/time.ts';
import { counted } from '../cli/words.ts';
import { clientsOf } from '../clients/read-names.ts';
import { openSession, sayDamage, snapshotsOf } from '../deployment/session.ts';
import {
  ageColumn,
  differenceColumns,
  entryColumns,
  formatBalance,
  snapshotColumns,
  toDocument,
} from '../snapshots/columns.ts';
import {
  compareSnapshots,
  type Difference,
  haveOrdersChanged,
  summarizeDifferences,
} from '../snapshots/compare-snapshots.ts';
import { exportSnapshots } from '../snapshots/export-snapshots.ts';
import { findPair, findSnapshot } from '../snapshots/find-snapshot.ts';
import { sweepSnapshots } from '../snapshots/sweep-snapshots.ts';
import { mergeNewestFirst } from '../store/order.ts';
import type { SnapshotHeader } from '../store/snapshot-reader.ts';

const WHICH =
  'the id of a snapshot, `latest`, `previous`, or a time such as `yesterday` for the latest one then';
const AT = '`latest` and `previous`';

export const addSnapshots = (program: Command) => {
  const snapshots = program
    .command('snapshots')
    .description('show the batches of balances that clients have sent')
    .addHelpText('after', examples('snapshots list --last 10', 'snapshots diff yesterday latest'));
  addList(snapshots);
  addShow(snapshots);
  addDiff(snapshots);
  addExport(snapshots);
  addSweep(snapshots);
};

const listColumns: Column<SnapshotHeader>[] = [
  ...snapshotColumns,
  { name: 'EntryCount', title: 'Entries', value: ({ entryCount }) => entryCount, align: 'right' },
  { name: 'Parts', value: ({ parts }) => parts, align: 'right' },
  { name: 'RequestId', value: ({ requestId }) => requestId },
];

const addList = (snapshots: Command) => {
  snapshots
    .command('list')
    .description('list the snapshots, the newest first')
    .addOption(clientOption())
    .addOption(sinceOption('only snapshots received since then'))
    .addOption(lastOption())
    .addHelpText(
      'after',
      examples('snapshots list --last 10', 'snapshots list --client warehouse --since 24h'),
    )
    .action(async ({ client, since, last }, command) => {
      const session = await openSession(command);
      const range = { ...readRange({ since }), newestFirst: true, pageSize: last };
      const clients = await clientsOf(session, client);
      const lists = clients.map((name) => snapshotsOf(session).listHeaders(name, range, sayDamage));
      await session.printRows(
        [...listColumns, ...ageColumn(session, ({ receivedAt }: SnapshotHeader) => receivedAt)],
        mergeNewestFirst(lists, ({ snapshotId }) => snapshotId, last),
      );
    });
};

const addShow = (snapshots: Command) => {
  snapshots
    .command('show')
    .description('show the balances of one snapshot')
    .argument('<snapshot>', WHICH)
    .addOption(clientOption())
    .addOption(atOption(AT))
    .addHelpText(
      'after',
      examples('snapshots show latest', 'snapshots show "2026-11-20 18:00" --client warehouse --csv'),
    )
    .action(async (which, { client, at }, command) => {
      const session = await openSession(command);
      const snapshot = await findSnapshot(session, which, { client, ...readRange({ at }) });
      if (session.format.kind === 'json') return session.printRecord(toDocument(snapshot));
      say(
        `${snapshot.snapshotId} of ${snapshot.client}, received ${formatTime(snapshot.receivedAt)} UTC: ${counted(snapshot.entries.length, 'entry', 'entries')}`,
      );
      await session.printRows(entryColumns, snapshot.entries);
    });
};

/** Shows the orders only if they differ, so that a change is easy to see. */
const differencesForPeople: Column<Difference>[] = [
  { name: 'Change', value: ({ change }) => change },
  { name: 'MaterialCode', value: ({ materialCode }) => materialCode },
  { name: 'Before', value: ({ before }) => formatBalance(before), align: 'right' },
  { name: 'After', value: ({ after }) => formatBalance(after), align: 'right' },
  { name: 'Orders before', value: (row) => (haveOrdersChanged(row) ? row.before?.PurchaseOrders : '') },
  { name: 'Orders after', value: (row) => (haveOrdersChanged(row) ? row.after?.PurchaseOrders : '') },
];

const addDiff = (snapshots: Command) => {
  snapshots
    .command('diff')
    .description('show how the second snapshot differs from the first')
    .argument('<first>', WHICH)
    .argument('<second>', WHICH)
    .addOption(clientOption())
    .addOption(atOption(AT))
    .addHelpText(
      'after',
      examples(
        'snapshots diff previous latest',
        'snapshots diff yesterday latest',
        'snapshots diff ID-1 ID-2 --json',
      ),
    )
    .action(async (first, second, { client, at }, command) => {
      const session = await openSession(command);
      const [before, after] = await findPair(session, [first, second], { client, ...readRange({ at }) });
      const differences = compareSnapshots(before, after);
      const columns = session.format.kind === 'table' ? differencesForPeople : differenceColumns;
      await session.printRows(columns, differences);
      say(summarizeDifferences(before, after, differences));
    });
};

const addExport = (snapshots: Command) => {
  snapshots
    .command('export')
    .description(
      'write snapshots, the oldest first, as CSV or a workbook with a row for each entry, or as JSON',
    )
    .argument('[snapshot]', `${WHICH}; without it, all snapshots`)
    .addOption(clientOption())
    .addOption(sinceOption('only snapshots received since then'))
    .addOption(atOption('all snapshots, `latest` or `previous`'))
    .addHelpText(
      'after',
      examples('snapshots export --since 7d --out week.csv', 'snapshots export latest --out latest.xlsx'),
    )
    .action(async (which, options, command) => {
      await exportSnapshots(await openSession(command), { which, ...options });
    });
};

const addSweep = (snapshots: Command) => {
  snapshots
    .command('sweep')
    .description(
      'remove parts of batches that are older than an hour and were never completed; no reader ever saw them',
    )
    .addOption(clientOption())
    .option('--dry-run', 'show the parts and remove nothing')
    .addHelpText(
      'after',
      '\nDo not run this while a restore of BalanceSnapshots is incomplete. Parts that wait for part 1 look the same.',
    )
    .addHelpText('after', examples('snapshots sweep --dry-run', 'snapshots sweep'))
    .action(async (options, command) => {
      await sweepSnapshots(await openSession(command), options);
    });
};
