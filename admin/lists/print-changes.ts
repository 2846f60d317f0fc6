import { toJson } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';
import { type Column, type Format, isNumber } from '../cli/output.ts';
import { say } from '../cli/terminal.ts';
import type { Session } from '../deployment/session.ts';
import { writeRows } from '../formats/write-rows.ts';
import { type CatalogItem, changedAttributes } from '../store/catalog-writer.ts';
import { attributeOf } from './compare-values.ts';
import { changeKinds, type RowChange } from './plan-import.ts';

/** A changed attribute. A row without attributes has one line without an attribute. */
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
    kind === 'json' || value === undefined || isNumber(value) ? value : JSON.stringify(value);
  return [
    { name: 'Change', value: ({ kind }) => kind },
    { name: tables[name].partitionKey, value: ({ identifier }) => identifier },
    { name: 'Attribute', value: ({ attribute }) => attribute },
    { name: 'Before', value: ({ before }) => valueIn(before) },
    { name: 'After', value: ({ after }) => valueIn(after) },
  ];
};

/** Returns the number of lines that are not printed. */
export const printChanges = async (
  { format, printRows }: Session,
  name: CatalogName,
  changes: readonly RowChange[],
  most = Number.POSITIVE_INFINITY,
) => {
  const lines = [...changeLines(name, changes)];
  await printRows(columnsFor(name, format), lines.slice(0, most));
  return Math.max(0, lines.length - most);
};

export const sayChanges = (name: CatalogName, changes: readonly RowChange[]) => {
  const format: Format = { kind: 'table', width: process.stderr.columns || undefined };
  const sayLine = async (line: string | Uint8Array) => say(String(line).trimEnd());
  return writeRows(sayLine, format, columnsFor(name, format), changeLines(name, changes));
};
