import { timesOf } from '../stock/checks/kinds/late.ts';
import { RULE_WORDS, writeRule } from '../stock/checks/kinds/refused-request.ts';
import type { Concern } from '../stock/tables/work.ts';
import { type Facts, factsOf, type Language, type Signs } from './facts.ts';

const about = ({ materials, name, counted }: Facts) =>
  materials === 1 ? name : counted(materials, { one: 'material', other: 'materials' });

const alike =
  (difference: string) =>
  ({ count, counted }: Facts) =>
    `${counted(count, { one: 'code differs', other: 'codes differ' })} from another code only in ${difference}`;

const checkAndSend = (what: string) =>
  `Please check ${what}, and send the right balances. If they are right, please tell us.`;
const oneCode =
  'Please send each material under one code only. If these are different materials, please tell us.';

export const en: Language = {
  locale: 'en-GB',
  decimal: '.',
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
  rule: RULE_WORDS,
  since: (from, newest) =>
    newest === undefined ? `since ${from}` : `since ${from}, the newest since ${newest}`,
  dated: (at) => `of ${at}`,
  wrong: {
    'damaged-snapshot': ({ dated }) => `The batch${dated} cannot be read completely`,
    late: ({ last, batchesADay, format }) =>
      `No batch since ${last}${batchesADay === null ? '' : `, usually ${timesOf(format(batchesADay))} a day`}`,
    'no-snapshot': () => 'No batch has come yet',
    'refused-request': ({ refusals, counted }) =>
      `${counted(refusals, { one: 'request was', other: 'requests were' })} refused in the last day`,
    'halved-snapshot': ({ dated, entries, previousEntries }) =>
      `Your batch${dated} has only ${entries} of ${previousEntries} entries`,
    'zero-snapshot': ({ entries, since }) => `All ${entries} balances have been 0${since}`,
    'power-of-ten': (facts) => {
      const { factor, since } = facts;
      const change =
        factor && `has been ${factor.isLarger ? 'larger' : 'smaller'} by a factor of ${factor.times}`;
      return `The balance of ${about(facts)} ${change ?? 'has had its decimal point in another place'}${since}`;
    },
    'unit-differs': (facts) => {
      const { materials, units, since } = facts;
      const what = units ? `${units.unit} instead of ${units.instead}` : 'different units';
      return `${about(facts)} ${materials === 1 ? 'comes' : 'come'} in ${what}${since}`;
    },
    'sign-flipped': (facts) => `${about(facts)} changed between positive and negative${facts.since}`,
    'look-alike': alike('letters that look the same'),
    'case-differs': alike('letter case'),
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

/** The short sentences of the list of work. No warehouse gets a message about the kinds of a list. */
const summaries: Partial<Record<string, (facts: Facts) => string>> = {
  ...en.wrong,
  'refused-request': ({ refusals, counted, rule, count }) =>
    `Refused ${counted(refusals, { one: 'time', other: 'times' })} in the last day: ${writeRule(rule)}${count > 1 ? ', and more' : ''} (not counted: wrong password, too large, too often)`,
  'halved-snapshot': ({ entries, previousEntries, since }) =>
    `${entries} of ${previousEntries} entries${since}`,
  'power-of-ten': (facts) => {
    const { factor, since } = facts;
    const change = factor && `${factor.isLarger ? '×' : '÷'} ${factor.times}`;
    return `${about(facts)} ${change ?? 'with a moved decimal point'}${since}`;
  },
  'look-alike': (facts) => `${en.wrong['look-alike'](facts)}${facts.since}`,
  'case-differs': (facts) => `${en.wrong['case-differs'](facts)}${facts.since}`,
  'unlisted-code': ({ count, counted }) =>
    `${counted(count, { one: 'balance has a code that is', other: 'balances have codes that are' })} not in the list`,
  'no-balance': ({ count, counted }) =>
    `${counted(count, { one: 'code of the list has', other: 'codes of the list have' })} no balance`,
  'unlisted-order': ({ count, counted }) =>
    `${counted(count, { one: 'order that a balance names is', other: 'orders that balances name are' })} not in the list`,
  'unused-order': ({ count, counted }) =>
    `${counted(count, { one: 'order of the list is', other: 'orders of the list are' })} named by no balance`,
};

/** One sentence about a concern, in English, without a period. */
export const summaryOf = (concern: Concern, signs: Signs) =>
  summaries[concern.kind]?.(factsOf(concern, signs, en)) ?? '';
