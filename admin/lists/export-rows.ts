import { type AttributeValue, toJson } from '../../shared/storage/attribute-json.ts';
import type { Column } from '../cli/output.ts';
import { type Kind, toTitle } from '../import/csv-columns.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import { attributeOf } from './equals-in-api.ts';

/** The attributes that any row has, by name, without the one that names the row. */
export const attributeNames = (items: readonly CatalogItem[], key: string) => {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  names.delete(key);
  return [...names].sort();
};

/** Rows as the API shows them. */
export const shownColumns = (
  items: readonly CatalogItem[],
  key: string,
  names = attributeNames(items, key),
): Column<CatalogItem>[] =>
  [key, ...names].map((name) => ({
    name,
    value: (item) => (Object.hasOwn(item, name) ? toJson(item[name]) : undefined),
  }));

/** Rows as an import reads them back to the last digit. */
export const exportColumns = (
  items: readonly CatalogItem[],
  key: string,
  names = attributeNames(items, key),
): Column<CatalogItem>[] => [
  { name: key, value: (item) => item[key]?.S },
  ...names.map((name): Column<CatalogItem> => {
    const title = toTitle(name, kindOf(items, name));
    return { name: title, value: (item) => cellOf(attributeOf(item, name), title) };
  }),
];

const kindOf = (items: readonly CatalogItem[], name: string): Kind => {
  const values = items.map((item) => attributeOf(item, name)).filter((value) => value !== undefined);
  if (values.every(({ S }) => S)) return 'text';
  return values.every(({ N }) => N !== undefined) ? 'number' : 'json';
};

const cellOf = (value: AttributeValue | undefined, title: string) => {
  if (value === undefined) return undefined;
  return title.endsWith(':json') ? JSON.stringify(toJson(value)) : (value.S ?? value.N);
};
