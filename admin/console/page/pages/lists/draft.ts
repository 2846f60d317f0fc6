import { toDecimal } from '../../../../lists/values/decimal.ts';
import type { RowEdit } from '../../../api.ts';
import { decimalSign } from '../../format.ts';

type Kind = 'text' | 'number';

/** `typed` is what the admin sees. A number that has several readings has no `text` until one is chosen. */
type DraftCell = { name: string; kind: Kind; typed: string; text: string | undefined };
type DraftRow = Omit<RowEdit, 'cells'> & { cells: DraftCell[] };

/** Changes to a list that are not written yet, by the identifiers of the rows. */
export type Draft = Map<string, DraftRow>;

/** Outside of the page, so that drafts survive a visit to other pages. */
const drafts = new Map<string, Draft>();

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(({ size }) => size > 0)) event.preventDefault();
});

export const draftOf = (list: string) => {
  const draft: Draft = drafts.get(list) ?? new Map();
  drafts.set(list, draft);
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

/** What a number can mean, with either decimal sign. `1.234` has two readings. */
export const readingsOf = (typed: string) => {
  const text = typed.replaceAll(/[\s\u00a0\u202f]/g, '').replace('−', '-');
  const decimals = (['.', ','] as const).map((decimal) => toDecimal(text, { decimal, isChosen: true }));
  return [...new Set(decimals.flatMap((read) => ('digits' in read ? [read.digits] : [])))];
};

/** The text for the console, which explains what is wrong with a number that has no reading. */
const textOf = (kind: Kind, typed: string) => {
  if (kind === 'text' || typed === '') return typed;
  const readings = readingsOf(typed);
  return readings.length > 1 ? undefined : (readings[0] ?? typed);
};

/** `text` is the chosen reading. */
type Typed = { name: string; kind: Kind; typed: string; stored: string; text?: string | undefined };

export const setText = (draft: Draft, identifier: string, { stored, ...typed }: Typed) => {
  const { kind = 'changed', cells: before = [] } = draft.get(identifier) ?? {};
  const cells = before.filter(({ name }) => name !== typed.name);
  if (typed.typed !== stored) cells.push({ ...typed, text: typed.text ?? textOf(typed.kind, typed.typed) });
  if (kind === 'changed' && cells.length === 0) draft.delete(identifier);
  else draft.set(identifier, { kind, identifier, cells });
};

/** Rows with a number whose reading is not chosen yet. */
export const undecidedIn = (draft: Draft) =>
  [...draft.values()]
    .filter(({ cells }) => cells.some(({ text }) => text === undefined))
    .map(({ identifier }) => identifier);

export const toEdits = (draft: Draft): RowEdit[] =>
  [...draft.values()].map(({ cells, ...row }) => ({
    ...row,
    cells: cells.map(({ name, kind, typed, text = typed }) => ({ name, kind, text })),
  }));
