import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../../shared/tables.ts';
import { joinFirstNames, MAX_NAMES } from '../../../text/words.ts';
import type { Severity } from '../../../told/mark.ts';
import { scopeOf } from '../../scope.ts';

export type Sentences = { detail: string; advice: string };

/** Expressions and conditions may use `found`, and `latest`, the latest batch of its client if it is loaded. */
export type Check = {
  /** Selects `client`, `subject` and `materials` (codes in JSON, or null) of each finding, and what the other parts need. */
  found: string;
  /** Fills the tables that the other parts need, from `check_found`. */
  prepare?: (db: DatabaseSync) => void;
  joins?: string;
  /** The scope of a finding, if it depends on more than its client. */
  scope?: string;
  /** Every batch in the stock since this batch shows the finding. */
  since?: string;
  /** The batch that shows the finding. Unless it is given, the latest batch. */
  batch?: string;
  /** The expression of each value in the data, besides `client` and `subject`. */
  data: Readonly<Record<string, string>>;
};

/** `client` is as people call it. */
export type FindingData = { client: string | null; subject: string };

type Definition<TData> = {
  kind: string;
  /** What people read in its place. */
  name: string;
  /** An `error`: the balances are likely to be wrong, or missing. A `note`: the lists have a row that no balance uses. */
  severity: Severity;
  title: string;
  /** The list that the findings concern, also if one warehouse alone sent the codes. Other findings concern their client. */
  list?: ListName;
  checks: readonly Check[];
  write: (finding: FindingData & TData) => Sentences;
};

/** A method accepts functions of more exact data. */
export type Kind = Omit<Definition<never>, 'write'> & {
  write(finding: FindingData): Sentences;
};

/** What findings of a list concern, in SQL. */
export const scopeOfList = (list: ListName) => `'${scopeOf(list)}'`;

/** Without a client, a finding concerns the codes. */
export const SCOPE = `ifnull(found.client, ${scopeOfList('MaterialCodes')})`;

export const defineKind = <TData = unknown>(kind: Definition<TData>): Kind => kind;

/** How people call a client, in SQL. Sentences and advice have this name. */
export const displayNameOf = (client: string) =>
  `ifnull((SELECT item ->> 'DisplayName' FROM main.client WHERE name = ${client}), ${client})`;

/** Some of the names that `select` finds, in JSON. One more than `joinFirstNames` shows, so that it knows whether there are more. */
export const firstNames = (select: string) =>
  `(SELECT json_group_array(name) FROM (${select} LIMIT ${MAX_NAMES + 1}))`;

export const FIRST_MATERIALS = firstNames(
  'SELECT value AS name FROM json_each(found.materials) ORDER BY value',
);

/**
 * The first batch of the unbroken series of batches that ends with the batch `latest`, and in which a balance `sent` meets the
 * condition, as far as batches are loaded.
 */
export const sinceOf = (condition: string) => `(
  SELECT begun FROM (
    SELECT begun, max(ended) OVER (
      ORDER BY begun ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS reached
    FROM period AS sent
    WHERE sent.client = latest.client AND sent.begun <= latest.id AND ${condition}
  ) WHERE ifnull(reached < begun, TRUE) ORDER BY begun DESC LIMIT 1
)`;

/**
 * The last change of a row that meets the condition, or that gave the row its name. Empty if the history has none. With the `+`, SQLite
 * does not read all lines of the list for each row.
 */
export const listedSince = (list: ListName, identifier: string, condition: string) => {
  const last = (rows: string) =>
    `ifnull((SELECT max(change) FROM check_list_line AS line WHERE +line.list = '${list}' AND ${rows}), '')`;
  const renamed = last(`line.kind = 'renamed' AND line.after = json_quote(${identifier})`);
  return `max(${last(`line.identifier = ${identifier} AND ${condition}`)}, ${renamed})`;
};

/** Conditions of lines that added a row, or that took it away. */
export const CAME = `line.kind = 'added'`;
export const WENT = `line.kind IN ('removed', 'renamed')`;

/** The warehouses whose latest batches lack something. */
export type LatestBatches = { warehouses: string[]; warehouseCount: number; hasOthers: number };

export const LATEST_BATCHES = {
  warehouses: `json(${firstNames(`SELECT ${displayNameOf('client')} AS name FROM check_latest ORDER BY client`)})`,
  warehouseCount: '(SELECT count(*) FROM check_latest)',
  // A check of one warehouse knows nothing of the others.
  hasOthers:
    'EXISTS (SELECT 1 FROM main.client WHERE is_warehouse AND name NOT IN (SELECT client FROM check_batch))',
};

export const OTHERS = 'Other warehouses were not checked.';

export const writeLatestBatches = ({ warehouses, warehouseCount }: LatestBatches) =>
  `${warehouseCount === 1 ? 'the latest batch of' : 'any of the latest batches of'} ${joinFirstNames(warehouses, warehouseCount)}`;
