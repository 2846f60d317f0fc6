import { type CatalogName, tables } from '../../../shared/tables.ts';
import { collectRows } from '../../import/collect-rows.ts';
import { collectFaults } from '../../import/faults.ts';
import { nameFault } from '../../import/json-values.ts';
import { type Header, readCells } from '../../import/table-columns.ts';
import type { RowChange } from '../../lists/plan-import.ts';
import type { List } from '../../lists/read-list.ts';
import type { RowEdit } from '../api.ts';

/** Converts an admin's edits to rows of a file and rows to remove. Throws a Failure that lists all faults. */
export const readEdits = (name: CatalogName, stored: List, edits: readonly RowEdit[]) => {
  const { partitionKey: key } = tables[name];
  const faults = collectFaults('These changes are');
  const rows = collectRows(name, faults);
  const removed: RowChange[] = [];

  const presenceFault = ({ kind, identifier }: RowEdit) => {
    if (kind === 'added' && stored.has(identifier)) return `this ${key} is already in the list`;
    if (kind === 'changed' && !stored.has(identifier))
      return 'this row is no longer in the list; discard its changes';
    return undefined;
  };

  const addRow = (edit: RowEdit) => {
    const { identifier, cells } = edit;
    const place = { line: 0, edited: identifier };
    const fault = (detail: string) => faults.add(place, detail);
    const nameFaults = cells.map(({ name }) =>
      name === key ? `every row already has a ${key}; choose another name for the column` : nameFault(name),
    );
    const found = [presenceFault(edit), ...nameFaults].filter((detail) => detail !== undefined);
    for (const detail of found) fault(detail);
    if (found.length > 0) return;
    const texts = [identifier, ...cells.map(({ text }) => text)];
    const given = { cells: texts, style: { decimal: '.' as const }, fault };
    const { attributes, cleared } = readCells(headerOf(key, cells), given);
    rows.add(identifier, { ...place, attributes, cleared });
  };

  for (const edit of edits) {
    const { kind, identifier } = edit;
    const before = stored.get(identifier);
    if (kind !== 'removed') addRow(edit);
    else if (before) removed.push({ kind, identifier, before, after: {} });
  }
  return { file: rows.finish(), removed };
};

const headerOf = (key: string, cells: RowEdit['cells']): Header => ({
  key: 0,
  columns: [{ name: key, kind: 'text' as const }, ...cells].map(({ name, kind }) => ({
    name,
    kind,
    title: name,
  })),
  untitled: 0,
});
