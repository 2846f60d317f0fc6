import type { Command } from '@commander-js/extra-typings';
import type { SnapshotHead } from '../../shared/store/snapshot-reader.ts';
import { snapshotSweeper, type Uncommitted } from '../../shared/store/snapshot-sweeper.ts';
import { parseClient, parseCount, parseSince } from '../arguments.ts';
import { examples } from '../examples.ts';
import { newestFirst } from '../newest-first.ts';
import type { Column } from '../output.ts';
import { clientsOf, openSession, snapshotsOf } from '../session.ts';
import { compare, type Difference, hasOtherOrders, inCounts } from '../snapshots/compare.ts';
import { exportSnapshots } from '../snapshots/export.ts';
import { findSnapshot } from '../snapshots/find.ts';
import { balanceInWords, entryColumns, toDocument } from '../snapshots/print.ts';
import { say } from '../terminal.ts';
import { ageInWords, timeInWords } from '../time.ts';
import { counted } from '../words.ts';

const WHICH = 'its id, or `latest`, or `previous` for the one before that';

export const addSnapshots = (program: Command) => {
  const snapshots = program
    .command('snapshots')
    .description('the batches of balances that clients have sent')
    .addHelpText('after', examples('snapshots list --last 10', 'snapshots diff previous latest'));
  addList(snapshots);
  addShow(snapshots);
  addDiff(snapshots);
  addExport(snapshots);
  addSweep(snapshots);
};

const addList = (snapshots: Command) => {
  snapshots
    .command('list')
    .description('list them, the newest first')
    .option('--client <name>', 'of one client', parseClient)
    .option('--since <time>', 'received then or later', parseSince)
    .option('--last <count>', 'only so many', parseCount)
    .addHelpText(
      'after',
      examples('snapshots list --last 10', 'snapshots list --client warehouse --since 24h'),
    )
    .action(async ({ client, since, last }, command) => {
      const session = await openSession(command);
      const { now } = session;
      const reader = snapshotsOf(session);
      const lists = clientsOf(session, client).map((name) =>
        reader.heads(name, now, { since, newestFirst: true, pageSize: last }, ({ message }) => say(message)),
      );
      const columns: Column<SnapshotHead>[] = [
        { name: 'Client', value: ({ client }) => client },
        { name: 'SnapshotId', value: ({ snapshotId }) => snapshotId },
        { name: 'ReceivedAt', value: ({ receivedAt }) => receivedAt.toISOString() },
        { name: 'EntryCount', title: 'Entries', value: ({ entryCount }) => entryCount, align: 'right' },
        { name: 'Parts', value: ({ parts }) => parts, align: 'right' },
        { name: 'RequestId', value: ({ requestId }) => requestId },
      ];
      const age: Column<SnapshotHead> = {
        name: 'Age',
        value: () => undefined,
        text: ({ receivedAt }) => ageInWords(receivedAt, now),
        align: 'right',
      };
      await session.printRows(
        session.format.kind === 'table' ? [...columns, age] : columns,
        newestFirst(lists, ({ snapshotId }) => snapshotId, last),
      );
    });
};

const addShow = (snapshots: Command) => {
  snapshots
    .command('show')
    .description('show what one says about each material')
    .argument('<snapshot>', WHICH)
    .option('--client <name>', 'of this client', parseClient)
    .addHelpText('after', examples('snapshots show latest', 'snapshots show latest --client warehouse --csv'))
    .action(async (which, { client }, command) => {
      const session = await openSession(command);
      const snapshot = await findSnapshot(session, which, client);
      if (session.format.kind === 'json') {
        await session.print(`${JSON.stringify(toDocument(snapshot), null, 2)}\n`);
        return;
      }
      say(
        `${snapshot.snapshotId} of ${snapshot.client}, received ${timeInWords(snapshot.receivedAt)} UTC: ${snapshot.entries.length} entries`,
      );
      await session.printRows(entryColumns, snapshot.entries);
    });
};

/** For people, the orders only where they differ: in a table, what has changed should catch the eye. */
const differencesForPeople: Column<Difference>[] = [
  { name: 'Change', value: ({ change }) => change },
  { name: 'MaterialCode', value: ({ materialCode }) => materialCode },
  { name: 'Before', value: ({ before }) => balanceInWords(before), align: 'right' },
  { name: 'After', value: ({ after }) => balanceInWords(after), align: 'right' },
  { name: 'Orders before', value: (row) => (hasOtherOrders(row) ? row.before?.PurchaseOrders : '') },
  { name: 'Orders after', value: (row) => (hasOtherOrders(row) ? row.after?.PurchaseOrders : '') },
];

const differencesForPrograms: Column<Difference>[] = [
  { name: 'Change', value: ({ change }) => change },
  { name: 'MaterialCode', value: ({ materialCode }) => materialCode },
  { name: 'StockBalanceBefore', value: ({ before }) => before?.StockBalance },
  { name: 'StockBalanceAfter', value: ({ after }) => after?.StockBalance },
  { name: 'StockBalanceUnitBefore', value: ({ before }) => before?.StockBalanceUnit },
  { name: 'StockBalanceUnitAfter', value: ({ after }) => after?.StockBalanceUnit },
  { name: 'PurchaseOrdersBefore', value: ({ before }) => before?.PurchaseOrders },
  { name: 'PurchaseOrdersAfter', value: ({ after }) => after?.PurchaseOrders },
];

const addDiff = (snapshots: Command) => {
  snapshots
    .command('diff')
    .description('show what the second says otherwise than the first')
    .argument('<first>', WHICH)
    .argument('<second>', WHICH)
    .option('--client <name>', 'of this client', parseClient)
    .addHelpText('after', examples('snapshots diff previous latest', 'snapshots diff ID-1 ID-2 --json'))
    .action(async (first, second, { client }, command) => {
      const session = await openSession(command);
      const [before, after] = await Promise.all([
        findSnapshot(session, first, client),
        findSnapshot(session, second, client),
      ]);
      const differences = compare(before, after);
      const columns = session.format.kind === 'table' ? differencesForPeople : differencesForPrograms;
      await session.printRows(columns, differences);
      say(inCounts(before, after, differences));
    });
};

const addExport = (snapshots: Command) => {
  snapshots
    .command('export')
    .description('write whole snapshots, oldest first, as CSV with a line for each entry, or as JSON')
    .argument('[snapshot]', `${WHICH}; without it, all of them`)
    .option('--client <name>', 'of one client', parseClient)
    .option('--since <time>', 'received then or later', parseSince)
    .option('--out <file>', 'a file to write instead of standard output')
    .addHelpText(
      'after',
      examples(
        'snapshots export --since 7d --out week.csv',
        'snapshots export latest --json --out latest.json',
      ),
    )
    .action(async (which, options, command) => {
      await exportSnapshots(await openSession(command), { which, ...options });
    });
};

const HOUR_MS = 3_600_000;

const addSweep = (snapshots: Command) => {
  snapshots
    .command('sweep')
    .description('remove parts that are older than an hour and were never committed; no reader ever saw them')
    .option('--client <name>', 'of one client, also of one that is no longer in the settings', parseClient)
    .option('--dry-run', 'show them and remove nothing')
    .addHelpText('after', examples('snapshots sweep --dry-run', 'snapshots sweep'))
    .action(async ({ client, dryRun }, command) => {
      const session = await openSession(command);
      const { dynamodb, tables } = session.deployment;
      const sweeper = snapshotSweeper(dynamodb, tables.BalanceSnapshots);
      const before = new Date(session.now.getTime() - HOUR_MS);
      const found = await Promise.all(
        clientsOf(session, client).map((name) => sweeper.find(name, before, session.now)),
      );
      const uncommitted = found.flat();
      if (!dryRun) for (const one of uncommitted) await sweeper.remove(one);
      await session.printRows(sweptColumns, uncommitted);
      const parts = uncommitted.reduce((count, { parts }) => count + parts.length, 0);
      const what = `${counted(parts, 'part')} of ${counted(uncommitted.length, 'request')}`;
      say(dryRun ? `To remove: ${what}.` : `Removed: ${what}.`);
    });
};

const sweptColumns: Column<Uncommitted>[] = [
  { name: 'Client', value: ({ client }) => client },
  { name: 'SnapshotId', value: ({ snapshotId }) => snapshotId },
  { name: 'ReceivedAt', value: ({ receivedAt }) => receivedAt.toISOString() },
  { name: 'RequestId', value: ({ requestId }) => requestId },
  { name: 'Parts', value: ({ parts }) => parts },
];
