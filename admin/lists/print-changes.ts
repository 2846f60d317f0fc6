import { toJson } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';
import { type Column, type Format, writeRows } from '../cli/output.ts';
import { print, say } from '../cli/terminal.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import { attributeOf } from './compare-values.ts';
import type { ListChanges } from './plan-import.ts';

/** One attribute that changes. A row without attributes has one line without any. */
type ChangeLine = {
  change: 'added' | 'changed' | 'removed';
  identifier: string;
  attribute?: string;
  before?: unknown;
  after?: unknown;
};

type ChangedRow = Pick<ChangeLine, 'change' | 'identifier'> & { before: CatalogItem; after: CatalogItem };

function* changedRows({ added, changed, removed }: ListChanges): Generator<ChangedRow> {
  for (const row of added) yield { change: 'added', before: {}, ...row };
  for (const row of changed) yield { change: 'changed', ...row };
  for (const row of removed) yield { change: 'removed', ...row, after: {} };
}

function* changeLines(name: CatalogName, changes: ListChanges): Generator<ChangeLine> {
  for (const { change, identifier, before, after } of changedRows(changes)) {
    const names = Object.keys({ ...before, ...after }).filter(
      (attribute) =>
        attribute !== tables[name].partitionKey &&
        attributeOf(before, attribute) !== attributeOf(after, attribute),
    );
    if (names.length === 0) yield { change, identifier };
    for (const attribute of names.sort()) {
      const line = { change, identifier, attribute };
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
    { name: 'Change', value: ({ change }) => change },
    { name: tables[name].partitionKey, value: ({ identifier }) => identifier },
    { name: 'Attribute', value: ({ attribute }) => attribute },
    { name: 'Before', value: ({ before }) => valueIn(before) },
    { name: 'After', value: ({ after }) => valueIn(after) },
  ];
};

export const printChanges = (format: Format, name: CatalogName, changes: ListChanges, sink = print) =>
  writeRows(sink, format, columnsFor(name, format), changeLines(name, changes));

/** Shows the changes beside a question. */
export const sayChanges = (name: CatalogName, changes: ListChanges) => {
  const format: Format = { kind: 'table', width: process.stderr.columns || undefined };
  return printChanges(format, name, changes, async (line) => say(line.trimEnd()));
};
