import * as v from 'valibot';
import { type AttributeValue, type Item, toJson } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { Column } from '../../text/output.ts';
import { quote } from '../../text/quote.ts';
import { countOf, joinNames } from '../../text/words.ts';
import { identifiers } from '../rows/collect-rows.ts';
import { type Kind, toTitle } from '../rows/table-columns.ts';
import { attributeOf, omit } from '../values/compare-values.ts';
import { toFileJson } from '../values/file-values.ts';
import { LOST_NAME } from '../values/json-values.ts';

/** The rows and columns of a file that an import reads back, and what the file cannot have. */
export const toExport = (name: ListName, items: readonly Item[], isJson: boolean) => {
  const { partitionKey: key } = tables[name];
  const rows = items.map((item) => omit(item, [LOST_NAME]));
  const columns = isJson ? jsonColumns(rows, key) : exportColumns(rows, key);
  return { columns, rows, notices: losses(name, items) };
};

/** The table may contain what an import refuses. */
const losses = (name: ListName, items: readonly Item[]) => {
  const { partitionKey: key } = tables[name];
  const notices: string[] = [];
  const refused = items.filter((item) => !v.is(identifiers[name], item[key]?.S));
  if (refused.length > 0) {
    notices.push(
      `${countOf(refused.length, 'row')} with a ${key} that warehouses cannot use. An import will refuse the file.`,
    );
  }
  const alike = attributeNames(items, key).filter((name, _, all) =>
    all.some((other) => other !== name && other.trim() === name.trim()),
  );
  if (alike.length > 0) {
    notices.push(
      `The attributes ${joinNames(alike.map(quote))} differ only in spaces. An import will refuse a file with both.`,
    );
  }
  if (items.some((item) => Object.hasOwn(item, LOST_NAME))) {
    notices.push(
      `The export leaves out an attribute with the name ${LOST_NAME}, because an import cannot read it.`,
    );
  }
  return notices;
};

const attributeNames = (items: readonly Item[], key: string) =>
  [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) => name !== key).sort();

const columnsWith =
  (toValue: typeof toJson) =>
  (items: readonly Item[], key: string): Column<Item>[] =>
    [key, ...attributeNames(items, key)].map((name) => ({
      name,
      value: (item) => (Object.hasOwn(item, name) ? toValue(item[name]) : undefined),
    }));

/** Values as in the API's response. */
export const shownColumns = columnsWith(toJson);

const jsonColumns = columnsWith((value) => value && toFileJson(value));

/** Rows as an import reads them back, with every digit. */
const exportColumns = (items: readonly Item[], key: string): Column<Item>[] => [
  { name: key, value: (item) => item[key]?.S },
  ...attributeNames(items, key).map((name): Column<Item> => {
    const kind = kindOf(items, name);
    const attribute = (item: Item) => attributeOf(item, name);
    const title = toTitle(name, kind);
    return title.endsWith(':json')
      ? { name: title, isJson: true, value: (item) => toText(attribute(item)) }
      : { name: title, value: (item) => attribute(item) && toJson(attribute(item)) };
  }),
];

const kindOf = (items: readonly Item[], name: string): Kind => {
  const values = items.map((item) => attributeOf(item, name)).filter((value) => value !== undefined);
  if (values.every(({ S }) => S)) return 'text';
  return values.every(({ N }) => N !== undefined) ? 'number' : 'json';
};

const toText = (value: AttributeValue | undefined) => value && JSON.stringify(toFileJson(value));
