import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../shared/tables.ts';
import type { Mark, Severity } from '../../told/mark.ts';
import type { Difference } from '../checks/parts/equal-differences.ts';
import { rowsOf } from '../database/rows.ts';
import { millisecondsOf } from '../queries/columns.ts';
import { type Filter, untilOf } from '../queries/filter.ts';
import { queryRows, type TableQuery, whereOf } from '../queries/read-table.ts';
import { listOf } from '../scope.ts';
import { RANK } from './findings.ts';
import { tableQuery } from './tables.ts';

/** What sentences and rows of messages need from the data of a finding. Each kind has some of them. */
export type FindingValues = Partial<Difference> & {
  lastBatchAt?: string;
  batchesADay?: number | null;
  usualUnit?: string;
  entries?: number;
  previousEntries?: number;
  refusals?: number;
  rule?: string;
  places?: number;
  listed?: string;
  /** How people call the warehouse. */
  client?: string | null;
  original?: string | null;
  meant?: string | null;
  knowsOriginal?: number;
};

/** The findings of one kind, of one scope, in one state. */
export type Concern = {
  kind: string;
  severity: Severity;
  state: 'open' | 'told' | 'known';
  count: number;
  materials: number;
  /** How many different pairs of units the findings name, or places by which decimal points moved. */
  ways: number;
  /** The oldest and the newest time since which one of them is there, in milliseconds. */
  oldestSince: number | null;
  newestSince: number | null;
  /** The first few, the newest first. */
  findings: { subject: string; since: number | null; data: FindingValues }[];
  /** Who marked this kind, unless the mark was taken back. Newer findings are open nevertheless. */
  mark?: { by: string; at: number; note: string; until: number | null };
  /** A new mark is written only if this is still the version. Null if there is none yet. */
  version: number | null;
};

/** What a warehouse or a list needs. The severity is the worst of its open concerns, or of all if none is open. */
export type Card = {
  scope: string;
  client: string | null;
  list: ListName | null;
  severity: Severity;
  concerns: Concern[];
};

/** Cards that are open come first, then the worst, then the newest. `fine` are the warehouses without any finding, and without damage. */
export type Work = { cards: Card[]; fine: string[] };

const FIRST_FINDINGS = 10;
const GROUP = 'scope, kind, severity, state';
const UNITS = `json_array(ifnull(data ->> 'unit', subject), coalesce(data ->> 'previousUnit', data ->> 'listed', data ->> 'usualUnit'))`;

type Row = Omit<Concern, 'findings' | 'mark' | 'version'> & { scope: string; findings: string };
type ConcernsOf = Pick<Filter, 'at' | 'scope' | 'kind' | 'state'> & { rows?: number };

/** What is open comes first, then the worst, then the newest. */
export const readConcerns = (db: DatabaseSync, { rows = FIRST_FINDINGS, ...filter }: ConcernsOf) => {
  const { from, conditions, values } = tableQuery(db, 'findings', filter);
  const concerns = queryRows<Row>(
    db,
    `WITH found AS MATERIALIZED (
      SELECT b.*, row_number() OVER (PARTITION BY ${GROUP} ORDER BY since DESC NULLS LAST, id) AS place FROM ${from} ${whereOf(conditions)}
    ), codes AS (
      SELECT ${GROUP}, count(DISTINCT value) AS materials FROM found JOIN json_each(found.materials) GROUP BY ${GROUP}
    )
    SELECT ${GROUP}, sum(count) AS count, ifnull(codes.materials, 0) AS materials,
      count(DISTINCT ifnull(data ->> 'places', ${UNITS})) AS ways,
      ${millisecondsOf('min(since)')} AS oldestSince, ${millisecondsOf('max(since)')} AS newestSince,
      ifnull(json_group_array(
        json_object('subject', subject, 'since', ${millisecondsOf('since')}, 'data', json(data)) ORDER BY place
      ) FILTER (WHERE place <= ${rows} AND data ->> 'others' IS NULL), '[]') AS findings
    FROM found AS b LEFT JOIN codes USING (${GROUP})
    GROUP BY ${GROUP} ORDER BY state <> 'open', ${RANK}, max(since) DESC NULLS LAST, min(id)`,
    values,
  );
  return concerns.map(({ findings, ...row }) => ({
    ...row,
    findings: JSON.parse(findings),
    ...markOf(db, row, filter.at),
  })) satisfies (Concern & { scope: string })[];
};

/** The mark of a kind and a scope. At a moment, a mark that was made later does not count. */
export const markOf = (
  db: DatabaseSync,
  { scope, kind }: Pick<Mark, 'scope' | 'kind'>,
  at?: string,
): Pick<Concern, 'mark' | 'version'> => {
  const find = db.prepare('SELECT * FROM main.told WHERE scope = ? AND kind = ? AND at <= ?');
  const [found] = rowsOf<Mark>(find, scope, kind, untilOf(at));
  if (!found) return { version: null };
  const { by, at: madeAt, note, until, version } = found;
  if (until !== null && until <= madeAt) return { version };
  const end = until === null ? null : Date.parse(until);
  return { mark: { by, at: Date.parse(madeAt), note, until: end }, version };
};

export const readWork = (db: DatabaseSync, { at }: Pick<Filter, 'at'>): Work => {
  const warehouses = rowsOf<{ name: string }>(
    db.prepare(`SELECT name FROM main.client WHERE is_warehouse AND item ->> 'CreatedAt' <= ? ORDER BY name`),
    untilOf(at),
  );
  const concerns = Map.groupBy(readConcerns(db, { at }), ({ scope }) => scope);
  const cards = [...concerns].map(([scope, ofScope]): Card => {
    const list = listOf(scope) ?? null;
    const [{ severity } = { severity: 'note' as const }] = ofScope;
    const concerns = ofScope.map(({ scope: _, ...concern }) => concern);
    const client = list ? null : scope;
    return { scope, client, list, severity, concerns };
  });
  const found = new Set(cards.map(({ scope }) => scope));
  return { cards, fine: warehouses.map(({ name }) => name).filter((name) => !found.has(name)) };
};

/** The kinds of the findings that a filter finds, and how many findings each has. */
export const readKinds = (db: DatabaseSync, filter: Omit<Filter, 'kind'> = {}) => {
  const { from, conditions, values } = tableQuery(db, 'findings', filter);
  return queryRows<{ kind: string; severity: string; count: number }>(
    db,
    `SELECT kind, severity, sum(count) AS count FROM ${from} ${whereOf(conditions)} GROUP BY kind, severity ORDER BY min(id)`,
    values,
  );
};

/** How many findings there are. A row may stand for many. */
export const countFindings = (db: DatabaseSync, { from, conditions, values }: TableQuery) =>
  queryRows<{ total: number }>(
    db,
    `SELECT ifnull(sum(count), 0) AS total FROM ${from} ${whereOf(conditions)}`,
    values,
  )[0]?.total ?? 0;
