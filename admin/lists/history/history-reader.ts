import * as v from 'valibot';
import type { ListName } from '../../../shared/tables.ts';
import { type Deployment, requireRecords } from '../../deployment/deployment.ts';
import { mapConcurrently } from '../../storage/map-concurrently.ts';
import { documentClient, queryItems, type Range } from '../../storage/query-items.ts';
import { Failure } from '../../text/failure.ts';
import type { RowChange } from '../plan/row-change.ts';
import { ChangeHead, decode, describeDamaged, isLeftId, partsTopic } from './records.ts';
import { fromStoredRow, type StoredRow } from './stored-rows.ts';

export type HistorySource = Pick<Deployment, 'dynamodb' | 'records' | 'name' | 'now'>;

/** `left`: the identifiers of the rows that were not written. `bytes`: the size of the parts. If a part is damaged, nobody knows the rows. */
export type RecordedRows = {
  changes: RowChange[];
  left: ReadonlySet<string>;
  bytes: number;
  isDamaged: boolean;
};
export type ListRecord = RecordedRows & { head: ChangeHead };

/** The item with this topic and the list as its id has the id of the newest head of the list. */
export const NEWEST = 'ListHistory';

const Part = v.object({ Id: v.string(), Rows: v.instance(Uint8Array) });

export const historyReader = (deployment: HistorySource) => {
  const { table } = requireRecords(deployment);
  const documents = documentClient(deployment.dynamodb);
  const query = (partition: string, range?: Range) =>
    queryItems(documents, { table, partitionKey: 'Topic', partition, sortKey: 'Id' }, range);

  return {
    newest: async (list: ListName) => {
      for await (const { Id, Head } of query(NEWEST)) if (Id === list) return String(Head);
      return undefined;
    },

    /** The heads of the changes of a list. Passes over those that have expired, and that somebody has damaged. */
    async *heads(list: ListName, range: Range = {}): AsyncGenerator<ChangeHead> {
      const now = deployment.now().getTime() / 1_000;
      for await (const item of query(list, range)) {
        const { success, output } = v.safeParse(ChangeHead, item);
        if (success && output.ExpiresAt > now) yield output;
      }
    },

    /** The rows of a change with those that were not written. */
    rows: async (head: ChangeHead): Promise<RecordedRows> => {
      const items = await Array.fromAsync(query(partsTopic(head.Topic, head.Id)));
      return decodeRows(head, items).catch(() => ({
        ...{ changes: [], left: new Set(), bytes: 0, isDamaged: true },
      }));
    },
  };
};

/** Throws if an item is missing or damaged. */
const decodeRows = async (
  { Topic: list, EndedAt, Left }: ChangeHead,
  found: unknown,
): Promise<RecordedRows> => {
  const items = v.parse(v.array(Part), found);
  const rowsOf = (isWanted: (id: string) => boolean) =>
    items.filter((item) => isWanted(item.Id)).map(({ Rows }) => Rows);
  const parts = rowsOf((id) => !isLeftId(id));
  const left = rowsOf((id) => isLeftId(id, EndedAt));
  const stored = await decode<StoredRow[]>(parts);
  return {
    changes: stored.map((row) => fromStoredRow(list, row)),
    // The items may come before the end.
    left: new Set(Left > 0 ? await decode<string[]>(left) : []),
    bytes: parts.reduce((sum, { byteLength }) => sum + byteLength, 0),
    isDamaged: false,
  };
};

export const requireReadable = (list: ListName, records: readonly ListRecord[]) => {
  const damaged = records.filter(({ isDamaged }) => isDamaged).map(({ head }) => head.Id);
  if (damaged.length > 0) throw new Failure(describeDamaged(list, damaged));
};

/** The changes from the newest one on that `isFirst`, the oldest first. */
export const readRecords = async (
  deployment: HistorySource,
  list: ListName,
  isFirst: (head: ChangeHead) => boolean,
): Promise<ListRecord[]> => {
  const { heads, rows } = historyReader(deployment);
  const found: ChangeHead[] = [];
  for await (const head of heads(list, { newestFirst: true })) {
    found.unshift(head);
    if (isFirst(head)) break;
  }
  return mapConcurrently(found, async (head) => ({ head, ...(await rows(head)) }));
};
