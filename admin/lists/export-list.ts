import * as v from 'valibot';
import { type AttributeValue, toJson } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';
import type { Column } from '../cli/output.ts';
import { say } from '../cli/terminal.ts';
import { counted } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import { writeRows } from '../formats/write-rows.ts';
import { identifiers } from '../import/collect-rows.ts';
import { UNCARRIED } from '../import/json-values.ts';
import { type Kind, toTitle } from '../import/table-columns.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import { attributeOf } from './compare-values.ts';
import { omit } from './plan-import.ts';
import { readSortedRows } from './read-list.ts';

export const showList = async (session: Session, name: CatalogName) => {
  const items = await readSortedRows(session, name);
  await session.printRows(shownColumns(items, tables[name].partitionKey), items);
};

/** Writes a list so that an import reads it back unchanged. */
export const exportList = async (session: Session, name: CatalogName) => {
  const { columns, rows } = await readExport(session, name);
  await session.write((sink) => writeRows(sink, session.fileFormat, columns, rows));
};

/** The rows and columns of an export, which an import reads back. */
export const readExport = async (session: Session, name: CatalogName) => {
  const items = await readSortedRows(session, name);
  warnOfLosses(items, name);
  const columnsOf = session.fileFormat.kind === 'json' ? shownColumns : exportColumns;
  const rows = items.map((item) => omit(item, [UNCARRIED]));
  return { columns: columnsOf(rows, tables[name].partitionKey), rows };
};

/** The table may contain rows that an import refuses. */
const warnOfLosses = (items: readonly CatalogItem[], name: CatalogName) => {
  const { partitionKey: key } = tables[name];
  const refused = items.filter((item) => !v.is(identifiers[name], item[key]?.S));
  if (refused.length > 0) {
    say(
      `${counted(refused.length, 'row')} with a ${key} that warehouses cannot use. An import will refuse the file.`,
    );
  }
  if (items.some((item) => Object.hasOwn(item, UNCARRIED))) {
    say(`The export leaves out an attribute with the name ${UNCARRIED}, because an import cannot read it.`);
  }
};

const attributeNames = (items: readonly CatalogItem[], key: string) =>
  [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) => name !== key).sort();

export const shownColumns = (items: readonly CatalogItem[], key: string): Column<CatalogItem>[] =>
  [key, ...attributeNames(items, key)].map((name) => ({
    name,
    value: (item) => (Object.hasOwn(item, name) ? toJson(item[name]) : undefined),
  }));

/** Rows as an import reads them back, with every digit. */
export const exportColumns = (items: readonly CatalogItem[], key: string): Column<CatalogItem>[] => [
  { name: key, value: (item) => item[key]?.S },
  ...attributeNames(items, key).map((name): Column<CatalogItem> => {
    const kind = kindOf(items, name);
    const attribute = (item: CatalogItem) => attributeOf(item, name);
    const title = toTitle(name, kind);
    return title.endsWith(':json')
      ? { name: title, isJson: true, value: (item) => toJsonText(attribute(item)) }
      : { name: title, value: (item) => attribute(item) && toJson(attribute(item)) };
  }),
];

const kindOf = (items: readonly CatalogItem[], name: string): Kind => {
  const values = items.map((item) => attributeOf(item, name)).filter((value) => value !== undefined);
  if (values.every(({ S }) => S)) return 'text';
  return values.every(({ N }) => N !== undefined) ? 'number' : 'json';
};

const toJsonText = (value: AttributeValue | undefined) => value && JSON.stringify(toJson(value));
