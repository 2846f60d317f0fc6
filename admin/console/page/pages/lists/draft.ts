import type { RowEdit } from '../../../../lists/plan/read-edits.ts';
import { readNumber } from '../../../../lists/values/read-number.ts';
import { decimalSign } from '../../format.ts';

type Kind = 'text' | 'number';

/** The admin sees `typed`. A number with two readings has no `text` until the admin chooses a reading. */
type DraftCell = { name: string; kind: Kind; typed: string; text: string | undefined };
type DraftRow = Omit<RowEdit, 'cells'> & { cells: DraftCell[] };

/** Changes of a list that are not written yet, by the identifiers of the rows. */
export type Draft = Map<string, DraftRow>;

/** Drafts are not in the state of the page, so that they survive a visit to other pages. */
const drafts = new Map<string, Draft>();

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(({ size }) => size > 0)) event.preventDefault();
});

export const draftOf = (command: string) => {
  const draft: Draft = drafts.get(command) ?? new Map();
  drafts.set(command, draft);
  return draft;
};

/** Marks a row as removed, or unmarks it. An added row disappears immediately. */
export const toggleRow = (draft: Draft, identifier: string) => {
  const { kind = 'changed' } = draft.get(identifier) ?? {};
  if (kind === 'changed') draft.set(identifier, { kind: 'removed', identifier, cells: [] });
  else draft.delete(identifier);
};

/** Adds a row to the draft. Returns a message if the draft or the list already has the row. */
export const addRow = (draft: Draft, identifier: string, isListed: boolean) => {
  const kind = draft.get(identifier)?.kind;
  if (kind === 'removed') {
    draft.delete(identifier);
    return `${identifier} was marked as removed. It stays in the list now, with its attributes.`;
  }
  if (kind || isListed) return `${identifier} already has a row. Search for it to change it.`;
  draft.set(identifier, { kind: 'added', identifier, cells: [] });
  return undefined;
};

/** A stored value with the decimal sign of the browser, without spaces between thousands. */
export const toTyped = (stored: string | number | null, kind: Kind) => {
  const text = String(stored ?? '');
  return kind === 'number' ? text.replace('.', decimalSign) : text;
};

/** The numbers that a text can mean, with either decimal sign. `1.234` has two readings. Two lines or two cells have none. */
export const readingsOf = (typed: string) => {
  const digits = typed.trim().replaceAll(/[^\S\t\n]/g, '');
  const text = digits.replace('−', '-');
  const results = (['.', ','] as const).map((decimal) => readNumber(text, { decimal, isChosen: true }));
  return [...new Set(results.flatMap((result) => ('digits' in result ? [result.digits] : [])))];
};

/** The text to send. A text without a reading is sent as it is, because the console explains what is wrong. */
const textOf = (kind: Kind, typed: string) => {
  // A cell that a spreadsheet copies ends with a new line.
  const text = typed.replace(/\n$/, '');
  if (kind === 'text' || text === '') return text;
  const readings = readingsOf(text);
  return readings.length > 1 ? undefined : (readings[0] ?? text);
};

/** `text` is the chosen reading. */
type TypedCell = { name: string; kind: Kind; typed: string; stored: string; text?: string | undefined };

export const setText = (draft: Draft, identifier: string, { stored, ...cell }: TypedCell) => {
  const { kind = 'changed', cells: before = [] } = draft.get(identifier) ?? {};
  const cells = before.filter(({ name }) => name !== cell.name);
  if (cell.typed !== stored) cells.push({ ...cell, text: cell.text ?? textOf(cell.kind, cell.typed) });
  if (kind === 'changed' && cells.length === 0) draft.delete(identifier);
  else draft.set(identifier, { kind, identifier, cells });
};

/** The rows with a number for which the admin has to choose a reading. */
export const undecidedIn = (draft: Draft) =>
  [...draft.values()]
    .filter(({ cells }) => cells.some(({ text }) => text === undefined))
    .map(({ identifier }) => identifier);

export const toEdits = (draft: Draft): RowEdit[] =>
  [...draft.values()].map(({ cells, ...row }) => ({
    ...row,
    cells: cells.map(({ name, kind, typed, text = typed }) => ({ name, kind, text })),
  }));
