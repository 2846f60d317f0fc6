import * as v from 'valibot';
import { MaterialCode, PurchaseOrder } from '../../shared/schemas/stock-balance.ts';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, catalogs, toCatalogRow } from '../../shared/storage/catalog.ts';
import { answerMeter, tooLong } from '../lists/response-size.ts';
import { type Faults, type Place, quote } from './faults.ts';

/** A row as a file has it. What is cleared are attributes that it has a column for and no value. */
export type FileRow = Place & {
  attributes: Record<string, AttributeValue>;
  cleared: readonly string[];
};

export const identifiers = { MaterialCodes: MaterialCode, PurchaseOrders: PurchaseOrder };

const placeInWords = ({ line, entry }: Place) => (entry === undefined ? `line ${line}` : `entry ${entry}`);

/** Takes the rows of a file one by one, and holds no more of them than one list can. */
export const collectRows = (name: CatalogName, faults: Faults) => {
  const { key } = catalogs[name];
  const rows = new Map<string, FileRow>();
  const meter = answerMeter(name);

  const identifierFault = (identifier: string) => {
    const before = rows.get(identifier);
    if (before) return `the ${key} ${quote(identifier)} stands in ${placeInWords(before)} already`;
    const issue = v.safeParse(identifiers[name], identifier).issues?.[0];
    if (!issue) return undefined;
    const spaces = identifier.trim() === identifier ? '' : ' There are spaces around it; leave them out.';
    return `${quote(identifier)} is no ${key}: ${issue.message}${spaces}`;
  };

  const refuse = (its: string): never => {
    faults.refuse();
    throw tooLong({ name, ...meter.taken(), what: `The file alone is too long for the API: ${its}` });
  };

  return {
    add: (identifier: string, row: FileRow) => {
      const item = { [key]: { S: identifier }, ...row.attributes };
      const fault = identifierFault(identifier);
      if (fault) return faults.add(row, fault);
      meter.count(toCatalogRow(key, item));
      if (meter.isHopeless()) refuse('its first');
      if (meter.isFull()) rows.clear();
      else rows.set(identifier, row);
    },
    /** All of them; throws what is wrong with the file. */
    end: () => {
      faults.refuse();
      if (meter.isFull()) refuse('its');
      return rows;
    },
  };
};

export type RowCollector = ReturnType<typeof collectRows>;
