import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';
import type { FileRow } from '../import/collect-rows.ts';
import { collectFaults, quote } from '../import/faults.ts';
import { UNCARRIED } from '../import/json-values.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import { attributeOf, equalsInApi, haveSameAttributes } from './compare-values.ts';
import type { List } from './read-list.ts';
import { itemSizeFault, listSizeFault, refuseSize } from './size-limits.ts';

/** The order in which changes are shown and written. */
export const changeKinds = ['added', 'changed', 'removed'] as const;

/** A change to one row of a list. A value that stays is the same object before and after. */
export type RowChange = {
  kind: (typeof changeKinds)[number];
  identifier: string;
  /** Empty for a new row. */
  before: CatalogItem;
  /** Empty for a removed row. */
  after: CatalogItem;
};

/** `unchanged` counts rows of the file. */
export type ImportPlan = { changes: RowChange[]; unchanged: number };

type Lists = { stored: List; file: ReadonlyMap<string, FileRow> };

/** Plans the changes of an import. Throws when a row or the list would be too large. */
export const planImport = (name: CatalogName, { stored, file }: Lists, isReplaced: boolean): ImportPlan => {
  const { partitionKey: key } = tables[name];
  const plan: ImportPlan = { changes: [], unchanged: 0 };
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
    // The SDK loses the value of an attribute `__proto__`.
    const isKept = (one: unknown, other: unknown, name: string) => name === key || one === other;
    if (before && haveSameAttributes(before, after, isKept)) {
      plan.unchanged += 1;
      return;
    }
    plan.changes.push({ kind: before ? 'changed' : 'added', identifier, before: before ?? {}, after });
    const fault = itemSizeFault(omit(after, [UNCARRIED]));
    if (fault) faults.add(row, `${quote(identifier)}: ${fault}`);
  };

  for (const [identifier, row] of file) planRow(identifier, row);
  for (const [identifier, before] of stored) {
    if (file.has(identifier)) continue;
    if (isReplaced) plan.changes.push({ kind: 'removed', identifier, before, after: {} });
    else afterwards.push(before);
  }
  faults.throwIfAny();
  const sizeFault = listSizeFault(name, afterwards);
  if (sizeFault) throw refuseSize(sizeFault);
  return plan;
};

export const omit = (item: CatalogItem, names: readonly string[]): CatalogItem =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** Keeps the stored value if the API shows both alike, because a file cannot contain a set. */
const keepIfEqual = (before: CatalogItem | undefined, name: string, given: AttributeValue) => {
  const stored = before && attributeOf(before, name);
  return stored && equalsInApi(stored, given) ? stored : given;
};
