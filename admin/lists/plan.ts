import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import { collectFaults, quote } from '../import/faults.ts';
import { UNCARRIED } from '../import/json-values.ts';
import type { FileRow } from '../import/row-collector.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import { attributeOf, equalsInApi } from './equals-in-api.ts';
import { sizeFault } from './item-size.ts';
import { excessSize, tooLong } from './response-size.ts';

type Row = { identifier: string };
export type Added = Row & { after: CatalogItem };
export type Changed = Row & { before: CatalogItem; after: CatalogItem };
export type Removed = Row & { before: CatalogItem };

/** What an import does to a table. Rows that the file lacks and that stay are not counted. */
export type Plan = { added: Added[]; changed: Changed[]; removed: Removed[]; unchanged: number };

type Tables = { stored: Map<string, CatalogItem>; file: Map<string, FileRow> };

/** Throws where what the table would hold afterwards is more than it, or the API, can take. */
export const planImport = (name: CatalogName, { stored, file }: Tables, isReplaced: boolean): Plan => {
  const { key } = catalogs[name];
  const plan: Plan = { added: [], changed: [], removed: [], unchanged: 0 };
  const faults = collectFaults();
  const afterwards: CatalogItem[] = [];

  const take = (identifier: string, row: FileRow) => {
    const before = stored.get(identifier);
    const stays = before && !isReplaced ? without(before, row.cleared) : {};
    const given = Object.entries(row.attributes).map(([name, value]) => [name, kept(before, name, value)]);
    const after = { ...stays, ...Object.fromEntries(given), [key]: { S: identifier } };
    afterwards.push(after);
    if (before && isSame(before, after, key)) {
      plan.unchanged += 1;
      return;
    }
    if (before) plan.changed.push({ identifier, before, after });
    else plan.added.push({ identifier, after });
    const fault = lostFault(after) ?? sizeFault(after);
    if (fault) faults.add(row, `${quote(identifier)}: ${fault}`);
  };

  for (const [identifier, row] of file) take(identifier, row);
  for (const [identifier, before] of stored) {
    if (file.has(identifier)) continue;
    if (isReplaced) plan.removed.push({ identifier, before });
    else afterwards.push(before);
  }
  faults.refuse();
  const lack = excessSize(name, afterwards);
  if (lack) throw tooLong(lack);
  return plan;
};

const without = (item: CatalogItem, names: readonly string[]): CatalogItem =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** What the API shows the same stays as it is stored, such as a set that a file can only give as a list. */
const kept = (before: CatalogItem | undefined, name: string, given: AttributeValue) => {
  const stored = before && attributeOf(before, name);
  return stored && equalsInApi(stored, given) ? stored : given;
};

/** What is kept is the very value. */
const isSame = (before: CatalogItem, after: CatalogItem, key: string) => {
  const names = Object.keys(before);
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => name === key || attributeOf(before, name) === attributeOf(after, name))
  );
};

/** The SDK reads no value of this name, and so would write the row without it. */
const lostFault = (after: CatalogItem) =>
  Object.hasOwn(after, UNCARRIED)
    ? `its row in the table has an attribute ${UNCARRIED}, which would be lost; remove that first`
    : undefined;
