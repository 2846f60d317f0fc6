import { WrongUsage } from '../../text/failure.ts';
import type { Column } from '../../text/output.ts';
import { formatTime } from '../../text/time.ts';
import { countOf } from '../../text/words.ts';
import { defineCommand, defineGroup, type Group } from '../terminal/define-command.ts';
import { atOption, clientOption, flag, requiredText, text, timeOptions } from '../terminal/options.ts';
import { toTable } from '../terminal/output.ts';
import { exportBatches, openEntries, toDocument } from './export-batches.ts';
import { type Batch, findBatch, findPair, needsOf } from './find-batch.ts';
import { openTable, type Row } from './open-table.ts';
import { sweepSnapshots } from './sweep-snapshots.ts';
import { addSnapshotList } from './tables.ts';
import { stockOptions, withStock } from './with-stock.ts';

const SELECTOR =
  'the id of a snapshot, `latest`, `previous`, or a time such as `yesterday` for the latest snapshot at that time';
const AT = '`latest` and `previous`';

export const addSnapshots = (program: Group) => {
  const snapshots = defineGroup(program, {
    name: 'snapshots',
    description: 'show the batches of balances that clients have sent',
    examples: ['snapshots list --last 10', 'snapshots diff yesterday latest'],
  });
  addSnapshotList(snapshots);
  addShow(snapshots);
  addDiff(snapshots);
  addExport(snapshots);
  addSweep(snapshots);
};

const addShow = (snapshots: Group) =>
  defineCommand(snapshots, {
    name: 'show',
    description: 'show the balances of one snapshot',
    options: {
      selector: requiredText('<snapshot>', SELECTOR),
      ...stockOptions({ at: atOption(AT) }),
    },
    examples: ['snapshots show latest', 'snapshots show "2026-11-20 18:00" --client warehouse --csv'],
    run: ({ selector, ...options }, { format }) =>
      withStock(options, needsOf(selector), async function* (stock) {
        const { db } = stock;
        const batch = findBatch(stock, selector);
        if (format.kind === 'json') return yield { record: toDocument(db, batch) };
        yield `${batch.SnapshotId} of ${batch.Client}, received ${formatTime(batch.ReceivedAt)}: ${countOf(batch.EntryCount, 'entry', 'entries')}`;
        const { columns, rows } = openEntries(db, batch);
        yield toTable(columns, rows);
      }),
  });

const DIFFERENCE = [
  ...['Kind', 'MaterialCode', 'StockBalanceBefore', 'StockBalanceAfter', 'Difference'],
  ...['StockBalanceUnitBefore', 'StockBalanceUnitAfter', 'PurchaseOrdersBefore', 'PurchaseOrdersAfter'],
];

/** Joins a balance and its unit in one column. Hides equal orders, so that different orders are easy to see. */
const differencesForPeople = (columns: readonly Column<Row>[]): Column<Row>[] => {
  const balance = (side: 'Before' | 'After'): Column<Row> => ({
    name: side,
    value: (row) => [row[`StockBalance${side}`], row[`StockBalanceUnit${side}`]].join(' ').trim(),
    align: 'right',
  });
  const orders = (side: 'Before' | 'After'): Column<Row> => {
    const otherSide = side === 'Before' ? 'After' : 'Before';
    return {
      name: `Orders ${side.toLowerCase()}`,
      value: (row) => {
        const shown = row[`PurchaseOrders${side}`];
        return String(shown ?? '') === String(row[`PurchaseOrders${otherSide}`] ?? '') ? '' : shown;
      },
    };
  };
  return [...columns.slice(0, 2), balance('Before'), balance('After'), orders('Before'), orders('After')];
};

const addDiff = (snapshots: Group) =>
  defineCommand(snapshots, {
    name: 'diff',
    description: 'show how the second snapshot differs from the first',
    options: {
      first: requiredText('<first>', SELECTOR),
      second: requiredText('<second>', SELECTOR),
      ...stockOptions({ at: atOption(AT) }),
    },
    examples: [
      'snapshots diff previous latest',
      'snapshots diff yesterday latest',
      'snapshots diff ID-1 ID-2 --json',
    ],
    run: ({ first, second, ...options }, { isForPeople }) =>
      withStock(options, needsOf(first, second), async function* (stock) {
        const [before, after] = findPair(stock, first, second);
        const filter = { one: nameOf(before), other: nameOf(after) };
        const { columns, rows } = openTable(stock.db, 'differences', filter, DIFFERENCE);
        const differing = [...rows];
        yield toTable(isForPeople ? differencesForPeople(columns) : columns, differing);
        const byKind = Map.groupBy(differing, ({ Kind }) => Kind);
        yield summarize(before, after, (kind) => byKind.get(kind)?.length ?? 0);
      }),
  });

const nameOf = ({ Client, SnapshotId }: Batch) => `${Client}/${SnapshotId}`;

const summarize = (before: Batch, after: Batch, count: (kind: string) => number) => {
  const same = before.EntryCount - count('gone') - count('changed');
  const pair = `${before.SnapshotId} of ${before.Client} to ${after.SnapshotId} of ${after.Client}`;
  return `${pair}: ${count('added')} added, ${count('gone')} gone, ${count('changed')} changed, ${same} the same`;
};

const addExport = (snapshots: Group) =>
  defineCommand(snapshots, {
    name: 'export',
    description:
      'write snapshots, the oldest first, as CSV or a workbook with a row for each entry, or as JSON',
    options: {
      selector: text('[snapshot]', `${SELECTOR}; by default, all snapshots`),
      ...stockOptions(timeOptions('snapshots', 'all snapshots, `latest` or `previous`')),
    },
    examples: ['snapshots export --since 7d --out week.csv', 'snapshots export latest --out latest.xlsx'],
    isExport: true,
    run: ({ selector, ...options }, output) => {
      if (selector !== undefined && options.since)
        throw new WrongUsage('Give a snapshot or --since, not both.');
      return exportBatches(selector, options, output);
    },
  });

const addSweep = (snapshots: Group) =>
  defineCommand(snapshots, {
    name: 'sweep',
    description:
      'remove the parts, older than an hour, of batches that were never completed; no reader saw these parts',
    options: { client: clientOption, dryRun: flag('--dry-run', 'show the parts and remove nothing') },
    help: () =>
      '\nDo not sweep while a restore of BalanceSnapshots is incomplete: the sweep would remove parts whose part 1 is not restored yet.',
    isForOperators: true,
    examples: ['snapshots sweep --dry-run', 'snapshots sweep'],
    run: sweepSnapshots,
  });
