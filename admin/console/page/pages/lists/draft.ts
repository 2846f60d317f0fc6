import * as v from 'valibot';
import type { ListName } from '../../../../../shared/tables.ts';
import type { RowEdit } from '../../../../lists/plan/read-edits.ts';
import { identifierSchemas } from '../../../../lists/rows/identifier-schemas.ts';
import { type Kind, type Sign, textOf } from './typed-values.ts';

/** The admin sees `typed`. A number with two readings has no `text` until the admin chooses a reading. */
type DraftCell = { name: string; kind: Kind; typed: string; text: string | undefined };

/** `to` is what the admin typed as the identifier of a row. The `identifier` of a new row is only the key of the draft. */
export type DraftRow = {
  kind: 'added' | 'changed' | 'removed';
  identifier: string;
  to?: string | undefined;
  cells: DraftCell[];
};

/** Changes of a list that are not written yet. */
export type Draft = {
  /** By the identifiers of the rows in the list. */
  rows: Map<string, DraftRow>;
  /** Columns that no row of the list has yet. */
  columns: Map<string, Kind>;
  /** Typed identifiers that the list has. */
  listed: Set<string>;
};

/** Drafts are not in the state of the page, so that they survive a visit to other pages. */
const drafts = new Map<string, Draft>();

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(({ rows }) => rows.size > 0)) event.preventDefault();
});

const emptyDraft = (): Draft => ({ rows: new Map(), columns: new Map(), listed: new Set() });

export const draftOf = (command: string) => {
  const draft = drafts.get(command) ?? emptyDraft();
  drafts.set(command, draft);
  return draft;
};

export const clearDraft = (draft: Draft) => Object.assign(draft, emptyDraft());

/** The identifier of a row after a write. */
export const codeOf = ({ identifier, to = identifier }: DraftRow) => to;

/** What the page calls a row until a write. */
export const nameOf = (row: DraftRow) => (row.kind === 'added' ? codeOf(row) : row.identifier);

export const kindOf = ({ kind, to }: DraftRow) => (kind === 'changed' && to !== undefined ? 'renamed' : kind);

/** Forgets the rows that were written, and the columns that the list has now. */
export const forgetRows = ({ rows, columns, listed }: Draft, isKept: (name: string) => boolean) => {
  for (const [key, row] of rows) if (!isKept(nameOf(row))) rows.delete(key);
  const names = new Set([...rows.values()].flatMap(({ cells }) => cells.map(({ name }) => name)));
  for (const name of columns.keys()) if (!names.has(name)) columns.delete(name);
  listed.clear();
};

/** Marks a row as removed, or unmarks it. An added row disappears immediately. */
export const toggleRow = ({ rows }: Draft, identifier: string) => {
  const { kind = 'changed' } = rows.get(identifier) ?? {};
  if (kind === 'changed') rows.set(identifier, { kind: 'removed', identifier, cells: [] });
  else rows.delete(identifier);
};

/** Unmarks a row that is marked as removed. Returns whether it was. */
export const restoreRow = ({ rows }: Draft, identifier: string) =>
  rows.get(identifier)?.kind === 'removed' && rows.delete(identifier);

let lastKey = 0;

/** Adds a row to the draft, with any identifier. Returns the key of the row. */
export const addRow = ({ rows }: Draft, to: string) => {
  lastKey += 1;
  // No row of the list has such an identifier.
  const identifier = `\u0000${lastKey}`;
  rows.set(identifier, { kind: 'added', identifier, to, cells: [] });
  return identifier;
};

/** Adds a row that a person typed. Returns a message if the draft or the list already has the row. */
export const addNewRow = (draft: Draft, identifier: string, isListed: boolean) => {
  const { rows } = draft;
  if (restoreRow(draft, identifier))
    return `${identifier} was marked as removed. It stays in the list now, with its attributes.`;
  if (isListed || rows.values().some((row) => codeOf(row) === identifier))
    return `${identifier} already has a row. Search for it to change it.`;
  addRow(draft, identifier);
  return undefined;
};

/** What is wrong with the identifiers of new and renamed rows, by the keys of the draft. */
export const codeIssues = (list: ListName, { rows, listed }: Draft) => {
  const uses = Map.groupBy(rows.values(), codeOf);
  const issueOf = (code: string) => {
    if (listed.has(code)) return `${code} is already in the list.`;
    if ((uses.get(code)?.length ?? 0) > 1) return `Two of these changes have ${code}.`;
    return v.safeParse(identifierSchemas[list], code).issues?.[0].message;
  };
  const issues = new Map<string, string>();
  for (const { identifier, to } of rows.values()) {
    const issue = to === undefined ? undefined : issueOf(to);
    if (issue !== undefined) issues.set(identifier, issue);
  }
  return issues;
};

/** `text` is the chosen reading. */
type TypedCell = { name: string; kind: Kind; typed: string; stored: string; text?: string | undefined };

const keep = ({ rows }: Draft, row: DraftRow) => {
  const { kind, identifier, to, cells } = row;
  if (kind === 'changed' && cells.length === 0 && to === undefined) rows.delete(identifier);
  else rows.set(identifier, row);
};

export const setText = (
  draft: Draft,
  identifier: string,
  { stored, ...cell }: TypedCell,
  possible?: readonly Sign[],
) => {
  const { kind = 'changed', to, cells: before = [] } = draft.rows.get(identifier) ?? {};
  const cells = before.filter(({ name }) => name !== cell.name);
  if (cell.typed !== stored)
    cells.push({ ...cell, text: cell.text ?? textOf(cell.kind, cell.typed, possible) });
  keep(draft, { kind, identifier, to, cells });
};

/** Renames a row. A row of the list with its own identifier is not renamed. */
export const setCode = (draft: Draft, identifier: string, typed: string) => {
  const { kind = 'changed', cells = [] } = draft.rows.get(identifier) ?? {};
  keep(draft, { kind, identifier, to: typed === identifier ? undefined : typed, cells });
};

/** Forgets a new column, and what was typed into it. */
export const removeColumn = (draft: Draft, column: string) => {
  draft.columns.delete(column);
  for (const row of draft.rows.values())
    keep(draft, { ...row, cells: row.cells.filter(({ name }) => name !== column) });
};

/** Has a number for which the admin has to choose a reading. */
export const isUndecided = ({ cells }: DraftRow) => cells.some(({ text }) => text === undefined);

/** The newest row comes first. */
export const addedRows = ({ rows }: Draft) =>
  [...rows.values()].filter(({ kind }) => kind === 'added').reverse();

/** In the order of the page. */
export const rowsOf = (draft: Draft) => [
  ...addedRows(draft),
  ...draft.rows.values().filter(({ kind }) => kind !== 'added'),
];

/** The rows with a wrong identifier come first. */
export const wrongFirst = ({ draft, issues }: { draft: Draft; issues: ReadonlyMap<string, string> }) =>
  rowsOf(draft).sort((a, b) => Number(issues.has(b.identifier)) - Number(issues.has(a.identifier)));

export const toEdits = (draft: Draft): RowEdit[] =>
  rowsOf(draft).map((row) => ({
    kind: kindOf(row),
    identifier: nameOf(row),
    to: row.to,
    cells: row.cells.map(({ name, kind, typed, text = typed }) => ({ name, kind, text })),
  }));
