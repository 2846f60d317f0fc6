import * as v from 'valibot';
import { MaterialCode, PurchaseOrder } from '../../shared/schemas/stock-balance.ts';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { toCatalogRow } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';
import { isChangedBySpreadsheets } from '../formats/guard-cells.ts';
import { answerMeter, refuseSize } from '../lists/size-limits.ts';
import { type Faults, formatPlace, type Place, quote } from './faults.ts';

/** A row of a file. `cleared` are the attributes that have a column and no value. */
export type FileRow = Place & {
  attributes: Record<string, AttributeValue>;
  cleared: readonly string[];
};

/** The schema of each catalog's key. */
export const identifiers: Record<CatalogName, v.GenericSchema> = {
  MaterialCodes: MaterialCode,
  PurchaseOrders: PurchaseOrder,
};

const CHANGED =
  ' A spreadsheet may have changed what was typed; format the column as text and type it again.';

/** Collects the rows of a file, and keeps no more of them than one list can hold. */
export const collectRows = (name: CatalogName, faults: Faults) => {
  const { partitionKey: key } = tables[name];
  const rows = new Map<string, FileRow>();
  const meter = answerMeter(name);

  const identifierFault = (identifier: string) => {
    if (identifier === '') return `the ${key} is missing`;
    const earlier = rows.get(identifier);
    if (earlier) return `the ${key} ${quote(identifier)} is in ${formatPlace(earlier)} already`;
    const issue = v.safeParse(identifiers[name], identifier).issues?.[0];
    if (!issue) return undefined;
    const spaces = identifier.trim() === identifier ? '' : ' There are spaces around it; leave them out.';
    const changed = isChangedBySpreadsheets(identifier) ? CHANGED : '';
    return `${quote(identifier)} is no ${key}: ${issue.message}${spaces}${changed}`;
  };

  const throwTooLong = (its: string): never => {
    faults.throwIfAny();
    throw refuseSize(meter.describeExcess(`The file alone is too long for the API: ${its}`));
  };

  return {
    add: (identifier: string, row: FileRow) => {
      const fault = identifierFault(identifier);
      if (fault) return faults.add(row, fault);
      meter.count(toCatalogRow(key, { [key]: { S: identifier }, ...row.attributes }));
      if (meter.isHopeless()) throwTooLong('its first');
      if (meter.isFull()) rows.clear();
      else rows.set(identifier, row);
    },
    /** Returns all rows, or throws the faults of the file. */
    finish: () => {
      faults.throwIfAny();
      if (meter.isFull()) throwTooLong('its');
      return rows;
    },
  };
};

/** Where the rows of a file go, and what is wrong with them. */
export type Into = {
  name: CatalogName;
  rows: ReturnType<typeof collectRows>;
  faults: Faults;
  notice(text: string): void;
};
