import type { Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { requireRecords } from '../../deployment/deployment.ts';
import type { RowChange } from '../plan/row-change.ts';
import { readList } from '../storage/read-list.ts';
import { historyReader, type ListRecord, readRecords } from './history-reader.ts';
import type { HistoryTarget, HistoryWriter } from './history-writer.ts';
import { mayRun, timeOfId } from './records.ts';
import { applyChange, compareLists, findDone } from './replay.ts';
import { asStored } from './stored-rows.ts';

/** Each is a call more for the next write. */
const MAX_CHANGES_AFTER_BASE = 50;
/** Small bases are cheap, but the records of many would be more than those of the changes. */
const MIN_BYTES_AFTER_BASE = 1_024 ** 2;

/**
 * Brings the history up to the list as it is now: ends the changes of writers that were killed, keeps what somebody has changed past
 * these tools, and begins with a new base where needed. Returns the id of the newest head.
 */
export const bringUpToDate = async (deployment: HistoryTarget, list: ListName, writer: HistoryWriter) => {
  const { partitionKey: key } = tables[list];
  // In this order. Another writer that begins a change meanwhile moves the newest head, so the next head is refused.
  let newest = await historyReader(deployment).newest(list);
  const all = await readRecords(deployment, list, ({ Kind }) => Kind === 'base');
  // What comes after a damaged change does not say the whole list.
  const records = all.slice(1 + all.findLastIndex(({ isDamaged }) => isDamaged));
  const now = deployment.now();
  const running = all.filter(({ head }) => mayRun(head, now));
  const rows = await readRows(deployment, list, running);
  const done = findDone(key, records, rows);
  // Of a writer that was killed, the rows that are as its change leaves them are done, and the others are left.
  const isKilled = ({ head }: ListRecord) => head.EndedAt === undefined && !mayRun(head, now);
  for (const { head, changes } of records.filter(isKilled)) {
    const written = new Set(done.get(head.Id));
    const left = changes.filter((change) => !written.has(change)).map(({ identifier }) => identifier);
    await writer.end(head, left);
  }

  const put = async (Kind: 'outside' | 'base', changes: readonly RowChange[], more = {}) => {
    ({ Id: newest } = await writer.put({ Kind, ...more }, changes, newest));
  };
  const [base, ...later] = records;
  const isBased = base?.head.Kind === 'base';
  if (isBased) {
    const known = new Map<string, Item>();
    for (const change of records.flatMap(({ head }) => done.get(head.Id) ?? []))
      applyChange(key, known, change);
    const outside = compareLists(known, rows);
    const Since = timeOfId(newest ?? base.head.Id);
    if (outside.length > 0) await put('outside', outside, { Since });
  }
  const halfRetention = (requireRecords(deployment).retentionDays * DAY_MS) / 2;
  const isOutdated = () =>
    later.length > MAX_CHANGES_AFTER_BASE ||
    later.reduce((sum, { bytes }) => sum + bytes, 0) > Math.max(base?.bytes ?? 0, MIN_BYTES_AFTER_BASE) ||
    now.getTime() - Date.parse(timeOfId(base?.head.Id ?? '')) > halfRetention;
  // A base may have only a part of a change that still runs.
  if (running.length === 0 && (!isBased || isOutdated())) await put('base', compareLists(new Map(), rows));
  return newest;
};

/** The rows in the form that the history can keep. */
const readRows = async (deployment: HistoryTarget, list: ListName, running: readonly ListRecord[]) => {
  const read = async () =>
    new Map(
      [...(await readList({ deployment }, list))].map(([identifier, row]) => [identifier, asStored(row)]),
    );
  const rows = await read();
  const { partitionKey: key } = tables[list];
  // A row that is renamed while the list is read can be seen twice, or not at all.
  const isTorn = ({ kind, identifier, after }: RowChange) =>
    kind === 'renamed' && rows.has(identifier) === rows.has(after[key]?.S ?? '');
  return running.some(({ changes }) => changes.some(isTorn)) ? read() : rows;
};
