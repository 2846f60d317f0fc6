import { describeRule } from '../stock/checks/kinds/refused-request.ts';
import {
  type Concern,
  factorOf,
  type Language,
  nameOf,
  refusalsOf,
  type Sentences,
  type SummaryWords,
  unitsOf,
  writeSince,
} from './concern.ts';

const countOf = (count: number, one: string, many: string, words: SummaryWords) =>
  `${words.count(count)} ${count === 1 ? one : many}`;

const materialsOf = (concern: Concern, words: SummaryWords) =>
  concern.materials === 1 ? nameOf(concern) : countOf(concern.materials, 'material', 'materials', words);

const sinceWords: Language['since'] = (from, newest) =>
  newest === undefined ? `since ${from}` : `since ${from}, the newest since ${newest}`;
const since = (concern: Concern, words: SummaryWords) => writeSince(concern, words, sinceWords);

const dated = (concern: Concern, words: SummaryWords) => writeSince(concern, words, (at) => `of ${at}`);

const often = (usual: number | null, words: SummaryWords) => {
  if (usual === null) return '';
  return `, usually ${['', 'once', 'twice'][usual] ?? `${words.count(usual)} times`} a day`;
};

const alike = (difference: string) => (concern: Concern, words: SummaryWords) =>
  `${countOf(concern.count, 'code differs', 'codes differ', words)} from another code only in ${difference}${since(concern, words)}`;

const wrong: Sentences = {
  'damaged-snapshot': (concern, words) => `The batch${dated(concern, words)} cannot be read completely`,
  late: ({ findings: [late] }, words) =>
    late
      ? `No batch since ${words.moment(Date.parse(late.data.lastBatchAt))}${often(late.data.usual, words)}`
      : 'The batch is late',
  'no-snapshot': () => 'No batch has come yet',
  'refused-request': (concern, words) => {
    const [refused] = concern.findings;
    const more = concern.count > 1 ? ', and more' : '';
    return refused
      ? `Refused ${countOf(refusalsOf(concern), 'time', 'times', words)} in the last day: ${describeRule(refused.data.rule)}${more} (not counted: 401, 413 and 429 of the gateway)`
      : '';
  },
  'halved-snapshot': (concern, words) => {
    const [half] = concern.findings;
    if (!half) return '';
    const { entries, previousEntries } = half.data;
    return `${words.count(entries)} of ${words.count(previousEntries)} entries${since(concern, words)}`;
  },
  'zero-snapshot': (concern, words) =>
    `All ${words.count(concern.findings[0]?.data.entries ?? 0)} balances are 0${since(concern, words)}`,
  'power-of-ten': (concern, words) => {
    const factor = factorOf(concern, words);
    const change = factor ? `${factor.places > 0 ? '×' : '÷'} ${factor.times}` : 'with a moved decimal point';
    return `${materialsOf(concern, words)} ${change}${since(concern, words)}`;
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
const wrongInLists: Partial<
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

/** The short sentences of the list of work. */
export const sentences = { ...wrong, ...wrongInLists };

const checkAndSend = (what: string) =>
  `Please check ${what}, and send the right balances. If they are right, please tell us.`;
const oneCode =
  'Please send each material under one code only. If these are different materials, please tell us.';

export const en: Language = {
  locale: 'en-GB',
  dateStyle: 'medium',
  subject: (name) => `${name}: please check your stock data`,
  opening: (name) =>
    `Good day, ${name},\n\nplease check the following in the stock balances that you send us.`,
  closing: (zone) => `All times are in the time zone ${zone}.\n\nThank you.`,
  before: 'before',
  inTheList: 'in our list',
  example: 'for example',
  more: (count) => `and ${count} more`,
  moreRows: (count) => `and ${count} more. Answer this message, and we send you the whole list.`,
  since: sinceWords,
  wrong: {
    ...wrong,
    'refused-request': (concern, words) =>
      `${countOf(refusalsOf(concern), 'request was', 'requests were', words)} refused in the last day`,
    'look-alike': (concern, words) => wrong['look-alike']({ ...concern, since: null }, words),
    'case-differs': (concern, words) => wrong['case-differs']({ ...concern, since: null }, words),
    'halved-snapshot': (concern, words) => {
      const only = wrong['halved-snapshot']({ ...concern, since: null }, words);
      return `Your batch${dated(concern, words)} has only ${only}`;
    },
    'power-of-ten': (concern, words) => {
      const factor = factorOf(concern, words);
      const change = factor
        ? `is ${factor.places > 0 ? 'larger' : 'smaller'} by a factor of ${factor.times}`
        : 'has its decimal point in another place';
      return `The balance of ${materialsOf(concern, words)} ${change}${since(concern, words)}`;
    },
  },
  ask: {
    'damaged-snapshot': 'Please send the whole batch again.',
    late: 'Please send the current balances, and check whether the transfer still runs.',
    'no-snapshot': 'Please set up the transfer, and send the first batch.',
    'refused-request': 'Please correct this in your system, and send the request again.',
    'halved-snapshot':
      'Please send all materials, also those with a balance of 0. If the others are gone, please tell us.',
    'zero-snapshot': 'Please send the real balances. If your stock is empty, please tell us.',
    'power-of-ten': checkAndSend('the decimal sign and the unit'),
    'unit-differs':
      'Please send the balances in the usual unit. If the unit has changed for good, please tell us.',
    'sign-flipped': checkAndSend('the sign'),
    'look-alike': oneCode,
    'case-differs': oneCode,
  },
};
