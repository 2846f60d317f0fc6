import { formatTime } from '../../../text/time.ts';
import { countOf } from '../../../text/words.ts';
import { defineKind } from '../parts/define-kind.ts';

type Data = { refusals: number; rule: string; last: string; advice: string };

/** Of the last day. The gateway's own refusals are in no log of a function. */
export const refusedRequest = defineKind<Data>({
  kind: 'refused-request',
  name: 'refused request',
  severity: 'warning',
  title: 'requests of the last day that were refused',
  checks: [
    {
      found: `
        SELECT client, rule, describe_rule(rule) AS subject, NULL AS materials, count(*) AS refusals, min(at) AS first, max(at) AS last
        FROM check_refusal JOIN check_batch USING (client) GROUP BY client, rule`,
      since: 'found.first',
      batch: 'NULL',
      data: {
        ...{ refusals: 'found.refusals', rule: 'found.rule', last: 'found.last' },
        advice: 'what_to_send(found.rule)',
      },
    },
  ],
  write: ({ refusals, rule, last, advice }) => ({
    detail: `${countOf(refusals, 'request')} refused in the last day, the last one at ${formatTime(new Date(last))}: ${writeRule(rule)}.`,
    advice: `${advice} Responses of the gateway (401, 413 and 429) are not counted.`.trim(),
  }),
});

export const RULE_WORDS = {
  body: 'the body',
  itemOf: (name: string) => `an item of ${name}`,
  other: (rule: string) => `breaks the rule ${rule}`,
  faults: {
    missing: 'is missing',
    string: 'is not text',
    number: 'is not a number',
    array: 'is not an array',
    strict_object: 'is not an object',
    union: 'is neither an array nor {}',
    regex: 'has a wrong form',
    check: 'is out of range',
    min_length: 'is empty',
    max_length: 'is too long',
    raw_check: 'is repeated',
    JSON: 'is not JSON',
    'UTF-8': 'is not UTF-8',
    empty: 'is empty',
    'too large': 'has too many entries',
    'content type': 'has another content type than JSON',
    'unknown field': 'has an unknown field',
  },
};
/** A language has words for each rule. */
export type RuleWords = typeof RULE_WORDS;

/** `StockBalance: number` becomes `StockBalance is not a number`. */
export const writeRule = (rule: string, { body, itemOf, other, faults }: RuleWords = RULE_WORDS) => {
  const [fault = '', place = 'body'] = rule.split(': ').toReversed();
  const subject = place === 'body' ? body : place.endsWith('[]') ? itemOf(place.slice(0, -2)) : place;
  const words = new Map(Object.entries(faults)).get(fault);
  return `${subject} ${words ?? other(fault)}`;
};
