import type { FindingData } from '../stock/checks/parts/define-kind.ts';
import type { Difference } from '../stock/checks/parts/equal-differences.ts';

/** All findings of one kind of a warehouse or of a list. */
export type Concern<TData = object> = {
  kind: string;
  severity: 'error' | 'warning' | 'note';
  /** How many findings there are. `findings` has the newest of them. */
  count: number;
  /** How many materials the findings are about. */
  materials: number;
  /** When the first and the newest finding came. */
  first: string | null;
  since: string | null;
  findings: readonly (FindingData & { since?: string | null } & TData)[];
};

type Alike = { original: string; originalPlace: { isListed: number; warehouses: string[] } };
type Unit =
  | ({ from: 'previous batch' } & Difference)
  | { from: 'list'; unit: string; listed: string }
  | { from: 'usual spelling'; usual: string; material: string }
  | { from: 'other warehouses' };

/** The data that sentences about a kind need. */
type Data = {
  'damaged-snapshot': object;
  late: { lastBatchAt: string; usual: number | null };
  'no-snapshot': object;
  'refused-request': { refusals: number; rule: string };
  'halved-snapshot': { entries: number; previousEntries: number };
  'zero-snapshot': { entries: number };
  'power-of-ten': Difference & { places: number };
  'unit-differs': Unit;
  'sign-flipped': Difference;
  'look-alike': Alike;
  'case-differs': Alike;
};

/** How a reader writes numbers and times. `moment` gets a text such as 2026-03-31T09:30:00.000Z. */
export type SummaryWords = {
  count: (count: number) => string;
  balance: (value: number) => string;
  moment: (time: string) => string;
};

/** A language has a sentence for each kind that concerns a warehouse. */
export type Sentences = {
  [TKind in keyof Data]: { write(concern: Concern<Data[TKind]>, words: SummaryWords): string }['write'];
};

export const nameOf = ({ findings: [finding] }: Concern<object | { material: string }>) =>
  finding && 'material' in finding ? finding.material : (finding?.subject ?? '');

/** `t` and `kg` if all findings say that a unit is `t` instead of `kg`. */
export const unitsOf = ({ count, findings }: Concern<Unit>) => {
  const pairs = findings.map((finding) => {
    if (finding.from === 'previous batch') return [finding.unit, finding.previousUnit];
    if (finding.from === 'list') return [finding.unit, finding.listed];
    return finding.from === 'usual spelling' ? [finding.subject, finding.usual] : [];
  });
  const [[unit = '', instead = ''] = []] = pairs;
  const areEqual = pairs.every((pair) => pair[0] === unit && pair[1] === instead);
  return areEqual && findings.length === count && unit !== '' ? { unit, instead } : undefined;
};

/** `× 1,000` if all findings have this factor. */
export const factorOf = ({ count, findings }: Concern<{ places: number }>, words: SummaryWords) => {
  const places = findings[0]?.places ?? 0;
  if (findings.length < count || findings.some((finding) => finding.places !== places)) return undefined;
  return `${places > 0 ? '×' : '÷'} ${words.count(10 ** Math.abs(places))}`;
};
