import type { DatabaseSync } from 'node:sqlite';
import type { Filter } from '../stock/queries/filter.ts';
import { tableQuery } from '../stock/tables/tables.ts';
import type { Sink } from '../text/output.ts';
import { reader } from '../text/reader.ts';
import { type SheetCell, streamWorkbook } from './stream-workbook.ts';
import { tableSheet } from './table-sheet.ts';

/** Writes the balances of two moments as one workbook: totals by unit, totals by material, and a row for each warehouse. */
export const writeComparison = (
  sink: Sink,
  db: DatabaseSync,
  filter: Filter,
  { deploymentName, now }: { deploymentName: string; now: Date },
) => {
  const { before, at, client, clients, search } = filter;
  const { timeZone } = reader();
  const preface: SheetCell[][] = [
    ['Stock of', deploymentName],
    ['Before', before === undefined ? null : new Date(before), timeZone],
    ['After', at === undefined ? now : new Date(at), timeZone],
    ['Warehouses', clients?.replaceAll(',', ', ') ?? client ?? 'all'],
    ['Search', search ?? null],
    [],
  ];
  return streamWorkbook(sink, [
    tableSheet(db, 'Units', tableQuery(db, 'comparedUnits', filter), preface),
    tableSheet(db, 'Materials', tableQuery(db, 'comparedMaterials', filter)),
    tableSheet(db, 'Warehouses', tableQuery(db, 'compared', filter)),
  ]);
};
