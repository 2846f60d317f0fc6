import { useEffect, useState } from 'preact/hooks';
import type { ListColumn, ListTable, RowEdit } from '../../api.ts';
import { get } from '../source.ts';

type Texts = Map<string, string>;

/** A row that is not in the list yet. */
type Addition = { id: number; identifier: string; texts: Texts };

export type ListRow = { identifier: string; cells: readonly (string | null)[]; addition?: Addition };

/** What an admin has changed in a list and not written yet. */
export type Draft = {
  columns: ListColumn[];
  /** The newest comes first. */
  additions: Addition[];
  changed: Map<string, Texts>;
  removed: Set<string>;
};

const newDraft = (): Draft => ({ columns: [], additions: [], changed: new Map(), removed: new Set() });

/** They stay while the admin looks at other pages. */
const drafts = new Map<string, Draft>();

export const draftOf = (list: string) => {
  const draft = drafts.get(list) ?? newDraft();
  drafts.set(list, draft);
  return draft;
};

export const discardDraft = (list: string) => drafts.delete(list);

export const countEdits = ({ additions, changed, removed }: Draft) => ({
  changed: changed.size,
  added: additions.length,
  removed: removed.size,
});

export const hasEdits = (draft: Draft) => Object.values(countEdits(draft)).some((count) => count > 0);

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(hasEdits)) event.preventDefault();
});

let lastId = 0;

export const addRow = (draft: Draft) => {
  lastId += 1;
  draft.additions.unshift({ id: lastId, identifier: '', texts: new Map() });
};

/** Removes a row, or restores it. An added row goes at once. */
export const toggleRow = (draft: Draft, { identifier, addition }: ListRow) => {
  if (addition) draft.additions = draft.additions.filter((other) => other !== addition);
  else if (!draft.removed.delete(identifier)) {
    draft.removed.add(identifier);
    draft.changed.delete(identifier);
  }
};

/** The new text of a cell. Undefined where it is not changed. */
export const draftText = ({ changed }: Draft, { identifier, addition }: ListRow, column: string) =>
  (addition?.texts ?? changed.get(identifier))?.get(column);

export const setText = (draft: Draft, row: ListRow, column: string, text: string, stored: string) => {
  const texts = row.addition?.texts ?? draft.changed.get(row.identifier) ?? new Map();
  if (text === stored) texts.delete(column);
  else texts.set(column, text);
  if (row.addition) return;
  if (texts.size > 0) draft.changed.set(row.identifier, texts);
  else draft.changed.delete(row.identifier);
};

export const editsOf = (draft: Draft, columns: readonly ListColumn[]): RowEdit[] => {
  const cellsOf = (texts: Texts) =>
    columns.flatMap((column) => {
      const text = texts.get(column.name);
      return text === undefined ? [] : [{ ...column, text }];
    });
  return [
    ...draft.additions.map(({ identifier, texts }) => ({
      kind: 'added' as const,
      identifier,
      cells: cellsOf(texts),
    })),
    ...[...draft.changed].map(([identifier, texts]) => ({
      kind: 'changed' as const,
      identifier,
      cells: cellsOf(texts),
    })),
    ...[...draft.removed].map((identifier) => ({ kind: 'removed' as const, identifier, cells: [] })),
  ];
};

/** Forgets what is written. What conflicts with the changes of somebody else stays. */
export const settleDraft = (draft: Draft, conflicts: readonly string[]) => {
  const stays = new Set(conflicts);
  draft.additions = draft.additions.filter(({ identifier }) => stays.has(identifier));
  draft.removed = draft.removed.intersection(stays);
  draft.changed = new Map([...draft.changed].filter(([identifier]) => stays.has(identifier)));
};

type State = { table?: ListTable; failure?: string };

/** Reads a list. What is shown stays while it is read again. */
export const useList = (list: string) => {
  const [state, setState] = useState<State>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    get<ListTable>(`lists/${list}`).then(
      (table) => isCurrent && setState({ table }),
      ({ message }: Error) => isCurrent && setState((before) => ({ ...before, failure: message })),
    );
    return () => {
      isCurrent = false;
    };
  }, [list, turn]);
  return { ...state, reload: () => setTurn(turn + 1) };
};
