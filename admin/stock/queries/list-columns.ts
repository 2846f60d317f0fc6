import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../shared/tables.ts';
import { column } from './columns.ts';
import type { Filter } from './filter.ts';
import { type Attribute, attributesAt, listRowsAt } from './lists-at.ts';
import type { TableColumn } from './read-table.ts';

const toLiteral = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A number or a text as it is, and any other value as JSON, which keeps all digits of a number. */
const valueIn = (attributes: string, { name, kind }: Attribute) => {
  const path = toLiteral(`$.${JSON.stringify(name)}`);
  if (kind === 'number') return `${attributes} ->> ${path}`;
  return `CASE json_type(${attributes}, ${path}) WHEN 'text' THEN ${attributes} ->> ${path}
    WHEN 'null' THEN NULL ELSE ${attributes} -> ${path} END`;
};

/**
 * Columns with one for each attribute that a list has at a moment, or now, in between. An admin may give an attribute any name. So the name of its
 * column begins with `list.`, as no other name does, and its title differs from all other titles.
 */
export const withAttributes = (
  db: DatabaseSync,
  { list, at }: { list: ListName; at: string | undefined },
  [before, after]: readonly [before: readonly TableColumn[], after: readonly TableColumn[]],
  wrap = (value: string) => value,
  row = 'b',
): TableColumn[] => {
  const attributes = attributesAt(db, list, at);
  const titles = [...before, ...after].map(({ title }) => title);
  const taken = new Set([...titles, ...attributes.map(({ name }) => name)]);
  const free = (title: string): string => (taken.has(title) ? free(`${title} (list)`) : title);
  const columns = attributes.map((attribute) => {
    const { name, kind } = attribute;
    const title = titles.includes(name) ? free(name) : name;
    return {
      ...column(`list.${name}`, title, kind, wrap(valueIn(`${row}.attributes`, attribute))),
      attribute: name,
    };
  });
  return [...before, ...columns, ...after];
};

/** For tables whose rows have a material. The attributes come behind what is shown first. */
export const withMaterialAttributes = (
  db: DatabaseSync,
  { at }: Filter,
  ...columns: readonly [first: readonly TableColumn[], others: readonly TableColumn[]]
) => {
  const listed = listRowsAt(db, 'MaterialCodes', at);
  const ofMaterial = (value: string) =>
    `(SELECT ${value} FROM ${listed} AS listed WHERE identifier = b.material)`;
  return withAttributes(db, { list: 'MaterialCodes', at }, columns, ofMaterial, 'listed');
};
