import type { Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import { Failure } from '../../text/failure.ts';
import { formatTime } from '../../text/time.ts';
import type { List } from '../plan/plan-changes.ts';
import { readList } from '../storage/read-list.ts';
import { type HistorySource, readRecords, requireReadable } from './history-reader.ts';
import { type ChangeHead, timeOfId } from './records.ts';
import { applyChange, findDone } from './replay.ts';

/** A list as it was at a time, as its history tells. Throws if the history begins later. */
export const readListAt = async (
  deployment: HistorySource & Parameters<typeof readList>[0]['deployment'],
  list: ListName,
  at: Date,
): Promise<List> => {
  const { partitionKey: key, list: texts } = tables[list];
  const isUntil = ({ Id }: ChangeHead) => timeOfId(Id) <= at.toISOString();
  const isBase = ({ Kind }: ChangeHead) => Kind === 'base';
  const records = await readRecords(deployment, list, (head) => isBase(head) && isUntil(head));
  const base = records.find(({ head }) => isBase(head));
  if (!base || !isUntil(base.head)) {
    const begins = base
      ? `begins at ${formatTime(new Date(timeOfId(base.head.Id)))}`
      : 'begins with the next change by these tools';
    throw new Failure(
      `The history of the ${texts.title} ${begins}, so nobody can tell how they were before.`,
    );
  }
  requireReadable(list, records);
  // Of a change without an end, the list as it is now tells which rows it wrote.
  const done = findDone(key, records, await readList({ deployment }, list));
  const rows = new Map<string, Item>();
  for (const { head } of records.filter(({ head }) => isUntil(head)))
    for (const change of done.get(head.Id) ?? []) applyChange(key, rows, change);
  return rows;
};
