import { toCatalogRow } from '../../shared/storage/catalog.ts';
import { tables } from '../../shared/tables.ts';
import { cell } from '../cli/output.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import type { ReportData } from './data.ts';

const { partitionKey: key } = tables.MaterialCodes;

/** What an admin has put beside the codes in the list, as columns: a name first, then what most rows have. */
export const attributesOf = (
  codes: readonly string[],
  rows: ReadonlyMap<string, CatalogItem>,
): ReportData['materials']['attributes'] => {
  const columns = new Map<string, (string | null)[]>();
  for (const [index, code] of codes.entries()) {
    for (const [name, value] of Object.entries(toCatalogRow(key, rows.get(code) ?? {}))) {
      if (name === key) continue;
      const column = columns.get(name) ?? codes.map(() => null);
      columns.set(name, column);
      column[index] = cell(value);
    }
  }
  return [...columns]
    .map(([name, value]) => ({ name, value }))
    .sort(
      (one, other) =>
        Number(isName(other.name)) - Number(isName(one.name)) || filled(other.value) - filled(one.value),
    );
};

const isName = (attribute: string) => /^name$/i.test(attribute);

const filled = (column: readonly (string | null)[]) => column.filter((value) => value !== null).length;
