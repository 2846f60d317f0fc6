import type { ListColumn, RowEdit } from '../../api.ts';

type Edit = Omit<RowEdit, 'cells'> & { texts: Map<string, string> };

/** What an admin has changed in a list and not written yet, by the keys of the rows. */
export type Draft = { columns: ListColumn[]; edits: Map<string, Edit> };

export type ListRow = { key: string; identifier: string; cells: readonly (string | null)[] };

/** They stay while the admin looks at other pages. */
const drafts = new Map<string, Draft>();

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(({ edits }) => edits.size > 0)) event.preventDefault();
});

export const draftOf = (list: string): Draft => {
  const draft = drafts.get(list) ?? { columns: [], edits: new Map() };
  drafts.set(list, draft);
  return draft;
};

export const discardDraft = (list: string) => drafts.delete(list);

export const addRow = ({ edits }: Draft) =>
  edits.set(`+${crypto.randomUUID()}`, { kind: 'added', identifier: '', texts: new Map() });

/** The newest comes first. */
export const addedRows = ({ edits }: Draft): ListRow[] =>
  [...edits]
    .flatMap(([key, edit]) =>
      edit.kind === 'added' ? [{ key, identifier: edit.identifier, cells: [] }] : [],
    )
    .reverse();

/** Removes a row, or restores it. An added row goes at once. */
export const toggleRow = ({ edits }: Draft, { key, identifier }: ListRow) => {
  const { kind = 'changed' } = edits.get(key) ?? {};
  if (kind === 'changed') edits.set(key, { kind: 'removed', identifier, texts: new Map() });
  else edits.delete(key);
};

export const setText = (
  { edits }: Draft,
  { key, identifier }: ListRow,
  { column, text, stored }: { column: string; text: string; stored: string },
) => {
  const edit = edits.get(key) ?? { kind: 'changed', identifier, texts: new Map() };
  if (text === stored) edit.texts.delete(column);
  else edit.texts.set(column, text);
  if (edit.kind === 'changed' && edit.texts.size === 0) edits.delete(key);
  else edits.set(key, edit);
};

export const toRowEdits = ({ edits }: Draft, columns: readonly ListColumn[]): RowEdit[] =>
  [...edits.values()].map(({ kind, identifier, texts }) => ({
    kind,
    identifier,
    cells: columns.flatMap((column) => {
      const text = texts.get(column.name);
      return text === undefined ? [] : [{ ...column, text }];
    }),
  }));

/** Forgets what is written, but not what conflicts with the changes of somebody else. */
export const settleDraft = ({ edits }: Draft, conflicts: readonly string[]) => {
  const stays = new Set(conflicts);
  for (const [key, { identifier }] of edits) if (!stays.has(identifier)) edits.delete(key);
};
