import type * as v from 'valibot';
import { Change } from '../../../../shared/schemas/change.ts';
import {
  BATCH_TOO_LONG,
  StockBalanceBatch,
  StockBalanceEntry,
} from '../../../../shared/schemas/stock-balance.ts';
import {
  isArray,
  isStrictObject,
  isUnion,
  splitPipe,
  UNKNOWN_FIELD,
} from '../../../../shared/schemas/validate.ts';
import { joinNames } from '../../../text/words.ts';

type Advice = readonly [rule: string, advice: string];

/** What the schema says to a client that breaks each of its rules. The names of rules are those of the log. */
const advicesOf = (schema: v.GenericSchema, place = 'body'): Advice[] => {
  const { base, actions } = splitPipe(schema);
  const own = [base, ...actions].flatMap((step) =>
    'type' in step && 'message' in step ? [[`${place}: ${step.type}`, String(step.message)] as const] : [],
  );
  return [...own, ...advicesWithin(base, place)];
};

const advicesWithin = (base: v.GenericSchema, place: string): Advice[] => {
  if (isArray(base)) return advicesOf(base.item, `${place}[]`);
  if (isUnion(base)) return base.options.flatMap((option) => advicesOf(option, place));
  if (!isStrictObject(base)) return [];
  return Object.entries(base.entries).flatMap(([name, field]) => [
    [`${name}: missing`, `Send ${name}.`] as const,
    ...advicesOf(field, name),
  ]);
};

const fieldsOf = ({ entries }: { entries: object }) => joinNames(Object.keys(entries));

/** The rules that no message of a schema explains by itself. */
const others: Advice[] = [
  ['JSON', 'Send the body as JSON.'],
  ['UTF-8', 'Send the body in UTF-8, without U+FFFD.'],
  ['empty', 'Send a JSON object as the body.'],
  ['content type', 'Send the header Content-Type: application/json.'],
  ['too large', BATCH_TOO_LONG],
  [UNKNOWN_FIELD, `A change has only ${fieldsOf(Change)}.`],
  [
    UNKNOWN_FIELD,
    `A batch has only ${fieldsOf(StockBalanceBatch)}, and an entry ${fieldsOf(StockBalanceEntry)}.`,
  ],
  ['MaterialCode: raw_check', 'Send one entry per material.'],
];

const advices = Map.groupBy(
  [...advicesOf(Change), ...advicesOf(StockBalanceBatch), ...others],
  ([rule]) => rule,
);

export const whatToSend = (rule: string) => (advices.get(rule) ?? []).map(([, advice]) => advice).join(' ');
