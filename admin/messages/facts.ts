import type { RuleWords } from '../stock/checks/kinds/refused-request.ts';
import type { Concern } from '../stock/tables/work.ts';

/** How a reader of the sentences writes numbers, and times in milliseconds. */
export type Signs = {
  number: (value: number) => string;
  moment: (at: number) => string;
};

/** The kinds that concern a warehouse. */
type Kind =
  | ('damaged-snapshot' | 'late' | 'no-snapshot' | 'refused-request' | 'halved-snapshot' | 'zero-snapshot')
  | ('power-of-ten' | 'unit-differs' | 'sign-flipped' | 'look-alike' | 'case-differs');

export type Language = {
  locale: string;
  decimal: '.' | ',';
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
  rule: RuleWords;
  since: (from: string, newest?: string) => string;
  /** Of a batch. */
  dated: (at: string) => string;
  /** Codes that are alike have no time: another warehouse may have sent the other one. */
  wrong: Record<Kind, (facts: Facts) => string>;
  /** What the warehouse should send instead. */
  ask: Record<Kind, string>;
};

export type Facts = ReturnType<typeof factsOf>;

export const factsOf = (
  { count, materials, ways, oldestSince, newestSince, findings }: Concern,
  signs: Signs,
  language: Pick<Language, 'locale' | 'since' | 'dated'>,
) => {
  const rules = new Intl.PluralRules(language.locale);
  const [{ subject, data } = { subject: '', data: {} }] = findings;
  const { material = subject, lastBatchAt, entries = 0, previousEntries = 0 } = data;
  const times = [oldestSince, newestSince].flatMap((time) => (time === null ? [] : signs.moment(time)));
  const [from, newest] = new Set(times);
  const places = ways === 1 ? data.places : undefined;
  const { unit = subject, previousUnit, listed } = data;
  const instead = previousUnit ?? listed ?? data.usualUnit;
  return {
    /** How many findings and materials there are, and the name of a single material. */
    ...{ count, materials, name: material },
    /** With a blank before it. Empty if nobody knows the time. */
    since: from === undefined ? '' : ` ${language.since(from, newest)}`,
    dated: from === undefined ? '' : ` ${language.dated(from)}`,
    last: lastBatchAt === undefined ? '' : signs.moment(Date.parse(lastBatchAt)),
    batchesADay: data.batchesADay ?? null,
    entries: signs.number(entries),
    previousEntries: signs.number(previousEntries),
    /** A finding stands for all refusals by a rule. */
    refusals: findings.reduce((sum, { data: { refusals = 0 } }) => sum + refusals, 0),
    rule: data.rule ?? '',
    /** If all findings say that a unit is `t` instead of `kg`. */
    units: ways === 1 && instead !== undefined ? { unit, instead } : undefined,
    /** If all findings have the same. */
    factor:
      places === undefined
        ? undefined
        : { times: signs.number(10 ** Math.abs(places)), isLarger: places > 0 },
    format: signs.number,
    /** The number, and the form of the words that goes with it. */
    counted: (number: number, forms: Partial<Record<Intl.LDMLPluralRule, string>>) =>
      `${signs.number(number)} ${forms[rules.select(number)] ?? forms.other ?? ''}`,
  };
};
