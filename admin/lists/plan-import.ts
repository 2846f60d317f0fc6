import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';
import type { FileRow } from '../import/collect-rows.ts';
import { collectFaults, quote } from '../import/faults.ts';
import { UNCARRIED } from '../import/json-values.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import { attributeOf, equalsInApi } from './compare-values.ts';
import type { List } from './read-list.ts';
import { itemSizeFault, listSizeFault, refuseSize } from './size-limits.ts';

type Row = { identifier: string };
type Added = Row & { after: CatalogItem };
type Changed = Row & { before: CatalogItem; after: CatalogItem };
export type Removed = Row & { before: CatalogItem };

/** Changes to the rows of a list. A value that stays is the same object before and after. */
export type ListChanges = { added: Added[]; changed: Changed[]; removed: Removed[] };

/** `unchanged` counts rows of the file. */
export type ImportPlan = ListChanges & { unchanged: number };

type Lists = { stored: List; file: ReadonlyMap<string, FileRow> };

/** Plans the changes of an import. Throws when a row or the list would be too large. */
export const planImport = (name: CatalogName, { stored, file }: Lists, isReplaced: boolean): ImportPlan => {
  const { partitionKey: key } = tables[name];
  const plan: ImportPlan = { added: [], changed: [], removed: [], unchanged: 0 };
  const faults = collectFaults();
  const afterwards: CatalogItem[] = [];

  const planRow = (identifier: string, row: FileRow) => {
    const before = stored.get(identifier);
    const remaining = before && !isReplaced ? omit(before, row.cleared) : {};
    const given = Object.entries(row.attributes).map(([name, value]) => [
      name,
      keepIfEqual(before, name, value),
    ]);
    const after = { ...remaining, ...Object.fromEntries(given), [key]: { S: identifier } };
    afterwards.push(after);
    if (before && isUnchanged(before, after, key)) {
      plan.unchanged += 1;
      return;
    }
    if (before) plan.changed.push({ identifier, before, after });
    else plan.added.push({ identifier, after });
    const fault = lossFault(after) ?? itemSizeFault(after);
    if (fault) faults.add(row, `${quote(identifier)}: ${fault}`);
  };

  for (const [identifier, row] of file) planRow(identifier, row);
  for (const [identifier, before] of stored) {
    if (file.has(identifier)) continue;
    if (isReplaced) plan.removed.push({ identifier, before });
    else afterwards.push(before);
  }
  faults.throwIfAny();
  const sizeFault = listSizeFault(name, afterwards);
  if (sizeFault) throw refuseSize(sizeFault);
  return plan;
};

const omit = (item: CatalogItem, names: readonly string[]): CatalogItem =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** Keeps the stored value if the API shows both alike: a file can give a set only as a list. */
const keepIfEqual = (before: CatalogItem | undefined, name: string, given: AttributeValue) => {
  const stored = before && attributeOf(before, name);
  return stored && equalsInApi(stored, given) ? stored : given;
};

const isUnchanged = (before: CatalogItem, after: CatalogItem, key: string) => {
  const names = Object.keys(before);
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => name === key || attributeOf(before, name) === attributeOf(after, name))
  );
};

/** The SDK does not read this attribute, so a write would lose it. */
const lossFault = (after: CatalogItem) =>
  Object.hasOwn(after, UNCARRIED)
    ? `its row in the table has an attribute ${UNCARRIED}, which would be lost; remove that first`
    : undefined;
