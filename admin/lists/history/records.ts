import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as v from 'valibot';
import { type ListName, listNames, tables } from '../../../shared/tables.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { quote } from '../../text/quote.ts';
import { joinFirstNames } from '../../text/words.ts';
import { originKinds } from '../plan/row-change.ts';
import { fromStoredJson, toStoredJson } from './stored-rows.ts';

/** `outside` is what somebody has changed past these tools. `base` is the whole list as it was found. */
export const recordKinds = [...originKinds, 'outside', 'base'] as const;

const text = v.string();
const count = v.fallback(v.number(), 0);

/** The head of a change as it is stored. Somebody may have edited it by hand. */
export const ChangeHead = v.object({
  /** The list. */
  Topic: v.picklist(listNames),
  /** Begins with the time of the service. Sorted ids are in the order in which the changes began. */
  Id: text,
  By: v.fallback(text, ''),
  Kind: v.picklist(recordKinds),
  Source: v.optional(text),
  Undoes: v.optional(text),
  /** Of a change from outside: the list was still as the history says at this time. */
  Since: v.optional(text),
  Parts: v.number(),
  Added: count,
  Changed: count,
  Renamed: count,
  Removed: count,
  /** In seconds. */
  ExpiresAt: v.number(),
  EndedAt: v.optional(text),
  /** How many rows were not written. Items beside the parts have their identifiers. */
  Left: count,
});
export type ChangeHead = v.InferOutput<typeof ChangeHead>;

const TIME_LENGTH = '2026-01-01T00:00:00.000Z'.length;

export const timeOfId = (id: string) => id.slice(0, TIME_LENGTH);

/** A change without an end that began at most this long ago may still run. */
export const MAX_RUN_MS = 15 * MINUTE_MS;

export const mayRun = ({ Id, EndedAt }: ChangeHead, now: Date) =>
  EndedAt === undefined && now.getTime() - Date.parse(timeOfId(Id)) <= MAX_RUN_MS;

/** An id that sorts after `last`, because the clocks of two machines differ. */
export const newChangeId = (now: Date, last?: string) => {
  const afterLast = last === undefined ? 0 : Date.parse(timeOfId(last)) + 1;
  const time = new Date(Math.max(now.getTime(), afterLast));
  return `${time.toISOString()}-${randomBytes(4).toString('hex')}`;
};

export const describeDamaged = (list: ListName, ids: readonly string[]) =>
  `The ${ids.length === 1 ? 'change' : 'changes'} ${joinFirstNames(ids.map(quote))} of ${tables[list].list.title} cannot be read, because records in AdminRecords are missing or damaged: restore them from a backup.`;

export const partsTopic = (list: ListName, id: string) => `${list}:${id}`;

/** The sort keys of parts. Identifiers of rows that were not written come after the rows. Of two that end a change at once, only one sets its end. */
export const partId = (index: number) => String(index + 1).padStart(4, '0');
export const leftId = (endedAt: string, index: number) => `left ${endedAt} ${partId(index)}`;
export const isLeftId = (id: string, endedAt = '') => id.startsWith(`left ${endedAt}`);

/** With its keys, a part is smaller than DynamoDB's 400 KB. */
const MAX_PART_BYTES = 350 * 1_024;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Compresses a value as JSON, and cuts the result into parts, because one row can be larger than a part. */
export const encode = async (value: unknown): Promise<Uint8Array[]> => {
  const bytes = await compress(toStoredJson(value));
  const parts = Math.ceil(bytes.byteLength / MAX_PART_BYTES);
  return Array.from({ length: parts }, (_, index) =>
    bytes.subarray(index * MAX_PART_BYTES, (index + 1) * MAX_PART_BYTES),
  );
};

export const decode = async <T>(parts: readonly Uint8Array[]): Promise<T> =>
  fromStoredJson(String(await decompress(Buffer.concat(parts))));
