import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { formatTime } from '../cli/time.ts';
import { counted, grouped, joinFirstNames } from '../cli/words.ts';
import { formatBalance } from '../snapshots/columns.ts';
import { compareSnapshots } from '../snapshots/compare-snapshots.ts';
import type { Finding, Kind } from './finding.ts';

/** If more than this many balances change in the same way, the changes become one finding. */
const MAX_SEPARATE_FINDINGS = 5;

/** Finds changes that are more likely a fault of the warehouse system than a change of its stock. */
export const suddenChanges = (previous: Snapshot, latest: Snapshot): Finding[] => [
  ...lostEntries(previous, latest),
  ...zeroBalances(previous, latest),
  ...changedBalances(previous, latest),
];

const timeOf = ({ receivedAt }: Snapshot) => `${formatTime(receivedAt)} UTC`;

const lostEntries = (previous: Snapshot, latest: Snapshot): Finding[] => {
  const [countBefore, countAfter] = [previous.entries.length, latest.entries.length];
  if (countAfter >= countBefore / 2) return [];
  const { client, snapshotId: subject } = latest;
  const detail = `Has ${counted(countAfter, 'entry', 'entries')} (${timeOf(latest)}), but the previous snapshot had ${grouped(countBefore)} (${timeOf(previous)}). Ask ${client} whether it sent all materials.`;
  return [{ kind: 'halved-snapshot', client, subject, detail }];
};

const isStocked = ({ StockBalance }: StockBalanceEntry) => StockBalance !== 0;

/** Ignores a snapshot with only one entry, because one balance of 0 is not suspicious. */
const zeroBalances = (previous: Snapshot, latest: Snapshot): Finding[] => {
  const stocked = previous.entries.filter(isStocked).length;
  if (stocked === 0 || latest.entries.length < 2 || latest.entries.some(isStocked)) return [];
  const { client, snapshotId: subject } = latest;
  const detail = `Has 0 for all ${grouped(latest.entries.length)} materials (${timeOf(latest)}), but the previous snapshot had ${counted(stocked, 'balance')} other than 0 (${timeOf(previous)}). Ask ${client} whether its stock is empty.`;
  return [{ kind: 'zero-snapshot', client, subject, detail }];
};

type Change = { kind: Kind; what: string; question: string };
type ChangedBalance = Change & { before: StockBalanceEntry; after: StockBalanceEntry };

const changedBalances = (previous: Snapshot, latest: Snapshot): Finding[] => {
  const { client, snapshotId } = latest;
  const changes = compareSnapshots(previous, latest).flatMap(({ before, after }): ChangedBalance[] =>
    before && after ? changesBetween(before, after).map((change) => ({ ...change, before, after })) : [],
  );
  const describe = ({ before, after, question }: ChangedBalance) =>
    `${formatBalance(after)} (${timeOf(latest)}), but was ${formatBalance(before)} in the previous snapshot (${timeOf(previous)}). Ask ${client} whether ${question}.`;
  return [...Map.groupBy(changes, ({ kind, what }) => `${kind} ${what}`).values()].flatMap((equal) => {
    const [first] = equal;
    if (!first || equal.length <= MAX_SEPARATE_FINDINGS) {
      return equal.map((change) => ({
        kind: change.kind,
        client,
        subject: change.after.MaterialCode,
        detail: `${change.what}: it is ${describe(change)}`,
      }));
    }
    const codes = equal.map(({ after }) => after.MaterialCode);
    const detail = `${first.what} for ${counted(codes.length, 'balance')} (${joinFirstNames(codes)}): ${codes[0]} is ${describe(first)}`;
    return [{ kind: first.kind, client, subject: snapshotId, detail }];
  });
};

/** If the unit changed, does not also report a power of ten. */
const changesBetween = (before: StockBalanceEntry, after: StockBalanceEntry): Change[] => [
  ...(before.StockBalanceUnit === after.StockBalanceUnit
    ? jumpBetween(before.StockBalance, after.StockBalance)
    : [unitChange(before.StockBalanceUnit, after.StockBalanceUnit)]),
  ...signChange(before.StockBalance, after.StockBalance),
];

const unitChange = (before: string, after: string): Change => ({
  kind: 'unit-differs',
  what: `Changed from "${before}" to "${after}"`,
  question: 'it also converted the balance',
});

/** Without an argument, `toExponential` gives the fewest digits, which are the digits that the client sent. */
const decimalOf = (balance: number) => balance.toExponential().split('e');

const jumpBetween = (before: number, after: number): Change[] => {
  const [digits, exponent] = decimalOf(before);
  const [newDigits, newExponent] = decimalOf(after);
  const power = Number(newExponent) - Number(exponent);
  if (digits !== newDigits || power === 0) return [];
  const what = `${power > 0 ? 'Multiplied' : 'Divided'} by ${grouped(10 ** Math.abs(power))}`;
  return [{ kind: 'power-of-ten', what, question: 'its decimal separator or its unit changed' }];
};

const signChange = (before: number, after: number): Change[] => {
  if (Math.sign(before) * Math.sign(after) !== -1) return [];
  const what = before > 0 ? 'Turned from positive to negative' : 'Turned from negative to positive';
  return [{ kind: 'sign-flipped', what, question: 'the new sign is right' }];
};
