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
  first: number | null;
  since: number | null;
  findings: readonly { subject: string; since: number | null; data: TData }[];
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

/** How a reader writes numbers and times. */
export type SummaryWords = {
  count: (count: number) => string;
  balance: (value: number) => string;
  moment: (at: number) => string;
};

/** A language of messages to a warehouse. */
export type Language = {
  locale: string;
  dateStyle: 'medium' | 'short';
  subject: (name: string) => string;
  opening: (name: string) => string;
  closing: (zone: string) => string;
  /** The words of rows. */
  before: string;
  inTheList: string;
  example: string;
  more: (count: string) => string;
  moreRows: (count: string) => string;
  since: (from: string, newest?: string) => string;
  /** Codes that are alike have no time: another warehouse may have sent the other one. */
  wrong: Sentences;
  /** What the warehouse should send instead. */
  ask: Record<keyof Sentences, string>;
};

/** A language has a sentence for each kind that concerns a warehouse. */
export type Sentences = {
  [TKind in keyof Data]: { write(concern: Concern<Data[TKind]>, words: SummaryWords): string }['write'];
};

/** ` since A` in the words of a language. */
export const writeSince = (
  { first, since }: Pick<Concern, 'first' | 'since'>,
  { moment }: SummaryWords,
  write: Language['since'],
) => {
  if (first === null || since === null) return '';
  const [from, newest] = [moment(first), moment(since)];
  return ` ${from === newest ? write(from) : write(from, newest)}`;
};

/** The form of the words that goes with a number. */
export const pluralsOf = (locale: string) => {
  const rules = new Intl.PluralRules(locale);
  return (number: number, forms: Partial<Record<Intl.LDMLPluralRule, string>>, { count }: SummaryWords) =>
    `${count(number)} ${forms[rules.select(number)] ?? forms.other ?? ''}`;
};

export const nameOf = ({ findings: [finding] }: Concern) => {
  if (!finding) return '';
  const { subject, data } = finding;
  return 'material' in data && typeof data.material === 'string' ? data.material : subject;
};

/** A finding stands for all refusals by a rule. */
export const refusalsOf = ({ findings }: Concern<{ refusals: number }>) =>
  findings.reduce((sum, { data }) => sum + data.refusals, 0);

const unitOf = ({ subject, data }: Concern<Unit>['findings'][number]) => {
  if (data.from === 'previous batch') return { unit: data.unit, instead: data.previousUnit };
  if (data.from === 'list') return { unit: data.unit, instead: data.listed };
  return data.from === 'usual spelling' ? { unit: subject, instead: data.usual } : undefined;
};

/** `t` and `kg` if all findings say that a unit is `t` instead of `kg`. */
export const unitsOf = ({ count, findings }: Concern<Unit>) => {
  const [units, ...others] = findings.map(unitOf);
  const areEqual = others.every((other) => other?.unit === units?.unit && other?.instead === units?.instead);
  return areEqual && findings.length === count ? units : undefined;
};

/** How large the factor is, such as 1,000, if all findings have the same. */
export const factorOf = ({ count, findings }: Concern<{ places: number }>, words: SummaryWords) => {
  const [places = 0, ...others] = findings.map(({ data }) => data.places);
  if (findings.length < count || others.some((other) => other !== places)) return undefined;
  return { places, times: words.count(10 ** Math.abs(places)) };
};
