import * as v from 'valibot';
import { isRealInstant } from '../../../shared/schemas/change.ts';
import { Failure } from '../../text/failure.ts';
import { formatNumber } from '../../text/words.ts';
import { FOREVER, type Values } from '../database/rows.ts';
import { fold } from '../look-alikes.ts';
import { splitSearch } from '../search.ts';

const SHAPE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

const Instant = v.pipe(
  v.string(),
  v.check((text) => SHAPE.test(text) && isRealInstant(text), 'Write the time like 2026-03-31T09:30:00Z.'),
  v.transform((text) => new Date(text).toISOString()),
);
const Moment = v.pipe(
  Instant,
  v.check((at) => Date.parse(at) <= Date.now(), 'Choose a time up to now. This time is in the future.'),
);
const text = v.optional(v.string());

/** The filters of all tables. Each table uses the filters that fit its rows. */
export const Filter = v.object({
  /** If it is not given, tables show the latest stock. */
  at: v.optional(Moment),
  since: v.optional(Instant),
  /** Words that have to be in texts of the row, or to be its balance. `A, B` and a pasted column find the rows of each. */
  search: text,
  client: text,
  /** An exact code. */
  material: text,
  unit: text,
  /** A part of a purchase order. */
  order: text,
  /** The kind of a finding, or `any`. Only materials with such a finding are shown. */
  finding: text,
  /** The kind and the severity of the findings to show. */
  kind: text,
  severity: text,
  /** Whom findings concern: a client, or a list, such as `list:MaterialCodes`. */
  scope: text,
  /** `open`, or why findings are hidden: `told` or `known`. */
  state: text,
  /** The id of a batch, or the code or order of a row in a list. */
  id: text,
  /** A list, a part of who changed it, and the id of a change. */
  list: text,
  by: text,
  change: text,
  /** Batches to compare, each as CLIENT/ID: `one` is before, `other` is after. */
  one: text,
  other: text,
  /** An earlier moment to compare the stock with. */
  before: v.optional(Moment),
  /** Names of clients with commas between them. */
  clients: text,
  /** With any text, only what differs. */
  differing: text,
});
export type Filter = v.InferOutput<typeof Filter>;

export const WAREHOUSES = '(SELECT name FROM main.client WHERE is_warehouse)';

/** The clients of a table: `:client`, or all warehouses if `:client` is null. */
export const CLIENTS = `(SELECT name FROM client WHERE iif(:client IS NULL, is_warehouse, name = :client))`;

/** A text after every id of a batch that was received until this time. Without a time, it is after every id. */
export const untilOf = (at: string | undefined) => `${at ?? ''}${FOREVER}`;

/** The values of a filter, by the names that they have in SQL. `:client` is null for all warehouses. */
export const valuesOf = ({ at, order, ...others }: Filter): Values => {
  const texts = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const { alternatives, codes } = searchOf(others.search);
  return {
    client: null,
    ...Object.fromEntries(texts),
    ...Object.fromEntries(alternatives.flat().map(({ name, word }) => [name, word])),
    ...{ at: untilOf(at), order: fold(order ?? ''), codes: JSON.stringify(codes) },
  };
};

/** A condition if there is a value, and none otherwise. */
export const given = (value: string | undefined, condition: string) =>
  value === undefined ? [] : [condition];

/** What was received from `since`, if it is given, until the moment. */
export const receivedBetween = ({ since }: Filter) => [
  `b.client IN ${CLIENTS} AND b.received_at <= :at`,
  ...given(since, 'b.received_at >= :since'),
];

/** SQLite refuses a query of some hundred conditions. */
const MAX_WORDS = 50;

export const checkWords = (count: number) => {
  if (count <= MAX_WORDS) return;
  throw new Failure(`The search has ${formatNumber(count)} words. Write at most ${MAX_WORDS}.`);
};

/** A folded word, and its name among the values of SQL. */
export type SearchedWord = { name: string; word: string };

/** The words of each alternative of a search, and what may be whole codes: the alternatives of one word, if there are several. */
export const searchOf = (search = '') => {
  let count = 0;
  const alternatives = splitSearch(search).map((words) =>
    words.map((word): SearchedWord => ({ name: `word${count++}`, word: fold(word) })),
  );
  for (const words of alternatives) checkWords(words.length);
  const singles = alternatives.filter(({ length }) => length === 1).flat();
  return { alternatives, codes: alternatives.length > 1 ? singles.map(({ word }) => word) : [] };
};

/** The search finds `text`, an expression of folded texts, or the number `value`. */
export const withWordsIn = (search: string | undefined, text: string, value = 'NULL') =>
  given(search, `found(:search, ${text}, ${value})`);
