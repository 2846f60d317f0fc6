import * as v from 'valibot';
import { type AttributeValue, type Item, toJson } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { Column } from '../../text/output.ts';
import { quote } from '../../text/quote.ts';
import { countOf, joinFirstNames } from '../../text/words.ts';
import { identifierSchemas } from '../rows/identifier-schemas.ts';
import { toTitle, type ValueKind } from '../rows/titles.ts';
import { attributeOf, omit } from '../values/compare-values.ts';
import { toFileJson } from '../values/file-values.ts';
import { UNWRITABLE_NAME } from '../values/json-values.ts';

/** The rows and columns of a file that an import reads back, and notices about what an import cannot read back. */
export const toExport = (name: ListName, items: readonly Item[], isJson: boolean) => {
  const { partitionKey: key } = tables[name];
  const rows = items.map((item) => omit(item, [UNWRITABLE_NAME]));
  const columns = isJson ? jsonColumns(rows, key) : exportColumns(rows, key);
  return { columns, rows, notices: exportNotices(name, items) };
};

/** Somebody may have edited the table by hand. So the table may have values that an import refuses. */
const exportNotices = (name: ListName, items: readonly Item[]) => {
  const { partitionKey: key } = tables[name];
  const refused = items.filter((item) => !v.is(identifierSchemas[name], item[key]?.S));
  const alike = attributeNames(items, key).filter((attribute, _, all) =>
    all.some((other) => other !== attribute && other.trim() === attribute.trim()),
  );
  const notices: [isTrue: boolean, notice: string][] = [
    [
      refused.length > 0,
      `${countOf(refused.length, 'row')} with a ${key} that warehouses cannot use. An import will refuse the file.`,
    ],
    [
      alike.length > 0,
      `The attributes ${joinFirstNames(alike.map(quote))} differ only in spaces. An import will refuse the file.`,
    ],
    [
      items.some((item) => Object.hasOwn(item, UNWRITABLE_NAME)),
      `The export leaves out an attribute with the name ${UNWRITABLE_NAME}, because an import cannot write it.`,
    ],
  ];
  return notices.filter(([isTrue]) => isTrue).map(([, notice]) => notice);
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

export const columnsAsInApi = columnsWith(toJson);

const jsonColumns = columnsWith((value) => value && toFileJson(value));

const exportColumns = (items: readonly Item[], key: string): Column<Item>[] => [
  { name: key, value: (item) => item[key]?.S },
  ...attributeNames(items, key).map((name): Column<Item> => {
    const kind = kindOfColumn(items, name);
    const attribute = (item: Item) => attributeOf(item, name);
    const title = toTitle(name, kind);
    return title.endsWith(':json')
      ? { name: title, isJson: true, value: (item) => toText(attribute(item)) }
      : { name: title, value: (item) => attribute(item) && toJson(attribute(item)) };
  }),
];

const kindOfColumn = (items: readonly Item[], name: string): ValueKind => {
  const values = items.map((item) => attributeOf(item, name)).filter((value) => value !== undefined);
  if (values.every(({ S }) => S)) return 'text';
  return values.every(({ N }) => N !== undefined) ? 'number' : 'json';
};

const toText = (value: AttributeValue | undefined) => value && JSON.stringify(toFileJson(value));
