import { toJson } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';
import { type Column, type Format, writeRows } from '../cli/output.ts';
import { print, say } from '../cli/terminal.ts';
import { type CatalogItem, changedAttributes } from '../store/catalog-writer.ts';
import { attributeOf } from './compare-values.ts';
import { changeKinds, type RowChange } from './plan-import.ts';

/** One attribute that changes. A row without attributes has one line without any. */
export type ChangeLine = Pick<RowChange, 'kind' | 'identifier'> & {
  attribute?: string;
  before?: unknown;
  after?: unknown;
};

export function* changeLines(name: CatalogName, changes: readonly RowChange[]): Generator<ChangeLine> {
  const rows = changeKinds.flatMap((kind) => changes.filter((change) => change.kind === kind));
  for (const { kind, identifier, before, after } of rows) {
    const names = changedAttributes(before, after, tables[name].partitionKey);
    if (names.length === 0) yield { kind, identifier };
    for (const attribute of names.sort()) {
      const line = { kind, identifier, attribute };
      yield { ...line, ...shown('before', before, attribute), ...shown('after', after, attribute) };
    }
  }
}

const shown = (when: 'before' | 'after', item: CatalogItem, name: string) => {
  const value = attributeOf(item, name);
  return value === undefined ? {} : { [when]: toJson(value) };
};

/** A cell holds JSON, so that the text "7" differs from the number 7. */
const columnsFor = (name: CatalogName, { kind }: Format): Column<ChangeLine>[] => {
  const valueIn = (value: unknown) =>
    kind === 'json' || value === undefined ? value : JSON.stringify(value);
  return [
    { name: 'Change', value: ({ kind }) => kind },
    { name: tables[name].partitionKey, value: ({ identifier }) => identifier },
    { name: 'Attribute', value: ({ attribute }) => attribute },
    { name: 'Before', value: ({ before }) => valueIn(before) },
    { name: 'After', value: ({ after }) => valueIn(after) },
  ];
};

export const printChanges = (
  format: Format,
  name: CatalogName,
  changes: readonly RowChange[],
  sink = print,
) => writeRows(sink, format, columnsFor(name, format), changeLines(name, changes));

/** Shows the changes beside a question. */
export const sayChanges = (name: CatalogName, changes: readonly RowChange[]) => {
  const format: Format = { kind: 'table', width: process.stderr.columns || undefined };
  return printChanges(format, name, changes, async (line) => say(line.trimEnd()));
};
