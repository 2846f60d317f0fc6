import type { ListColumn, RowEdit } from '../../api.ts';

/** Changes to a list that are not written yet, by the identifiers of the rows. */
export type Draft = Map<string, RowEdit>;

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

export const setText = (
  draft: Draft,
  identifier: string,
  { column, text, stored }: { column: ListColumn; text: string; stored: string },
) => {
  const { kind = 'changed', cells: before = [] } = draft.get(identifier) ?? {};
  const cells = before.filter(({ name }) => name !== column.name);
  if (text !== stored) cells.push({ ...column, text });
  if (kind === 'changed' && cells.length === 0) draft.delete(identifier);
  else draft.set(identifier, { kind, identifier, cells });
};
