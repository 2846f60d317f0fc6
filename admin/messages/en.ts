import { type Concern, factorOf, nameOf, type Sentences, type SummaryWords, unitsOf } from './concern.ts';

const countOf = (count: number, one: string, many: string, words: SummaryWords) =>
  `${words.count(count)} ${count === 1 ? one : many}`;

const materialsOf = (concern: Concern, words: SummaryWords) =>
  concern.materials === 1 ? nameOf(concern) : countOf(concern.materials, 'material', 'materials', words);

const since = ({ first, since: newest }: Concern, { moment }: SummaryWords) => {
  if (first === null || newest === null) return '';
  const [from, until] = [moment(first), moment(newest)];
  return from === until ? ` since ${from}` : ` since ${from}, the newest since ${until}`;
};

const often = (usual: number | null, words: SummaryWords) => {
  if (usual === null) return '';
  if (usual < 0.75) return `, usually every ${words.count(Math.round(1 / usual))} days`;
  const times = Math.round(usual);
  const known = ['', 'once', 'twice'][times];
  return `, usually ${known ?? `${words.count(times)} times`} a day`;
};

const alike = (difference: string) => (concern: Concern, words: SummaryWords) =>
  `${countOf(concern.count, 'code differs', 'codes differ', words)} from another code only in ${difference}${since(concern, words)}`;

export const wrong: Sentences = {
  'damaged-snapshot': (concern, words) => `A batch cannot be read completely${since(concern, words)}`,
  late: ({ findings: [late] }, words) =>
    late
      ? `No batch since ${words.moment(Date.parse(late.data.lastBatchAt))}${often(late.data.usual, words)}`
      : 'The batch is late',
  'no-snapshot': () => 'No batch has come yet',
  'refused-request': ({ findings: [refused] }, words) =>
    refused
      ? `Refused ${countOf(refused.data.refusals, 'time', 'times', words)} today: ${refused.data.rule}`
      : '',
  'halved-snapshot': (concern, words) => {
    const [half] = concern.findings;
    if (!half) return '';
    const { entries, previousEntries } = half.data;
    return `${words.count(entries)} of ${words.count(previousEntries)} entries${since(concern, words)}`;
  },
  'zero-snapshot': (concern, words) =>
    `All ${words.count(concern.findings[0]?.data.entries ?? 0)} balances are 0${since(concern, words)}`,
  'power-of-ten': (concern, words) => {
    const factor = factorOf(concern, words) ?? 'with a moved decimal point';
    return `${materialsOf(concern, words)} ${factor}${since(concern, words)}`;
  },
  'unit-differs': (concern, words) => {
    const units = unitsOf(concern);
    const verb = concern.materials === 1 ? 'comes' : 'come';
    const what = units ? `${units.unit} instead of ${units.instead}` : 'different units';
    return `${materialsOf(concern, words)} ${verb} in ${what}${since(concern, words)}`;
  },
  'sign-flipped': (concern, words) =>
    `${materialsOf(concern, words)} changed between positive and negative${since(concern, words)}`,
  'look-alike': alike('letters that look the same'),
  'case-differs': alike('letter case'),
};

/** Kinds that concern a list. No warehouse gets a message about them. */
export const wrongInLists: Partial<
  Record<string, (concern: Pick<Concern, 'count'>, words: SummaryWords) => string>
> = {
  'unlisted-code': ({ count }, words) =>
    `${countOf(count, 'balance has a code that is', 'balances have codes that are', words)} not in the list`,
  'no-balance': ({ count }, words) =>
    `${countOf(count, 'code of the list has', 'codes of the list have', words)} no balance`,
  'unlisted-order': ({ count }, words) =>
    `${countOf(count, 'order that a balance names is', 'orders that balances name are', words)} not in the list`,
  'unused-order': ({ count }, words) =>
    `${countOf(count, 'order of the list is', 'orders of the list are', words)} named by no balance`,
};
