import { isRecord } from '../../../shared/schemas/json.ts';

/** The records that the doctor wrote, according to the responses. */
export class WrittenRecords {
  readonly changes = new Set<string>();
  readonly snapshots: string[] = [];
  /** Requests whose response does not say whether a record was written. */
  uncertain = 0;

  /** A Timestamp that is in no record yet. */
  newTimestamp(now: number) {
    return new Date(now + this.changes.size).toISOString().replace('.', ',');
  }

  /** A 3xx or 4xx means that nothing was written. */
  add(status: number, body: unknown) {
    if (status >= 300 && status < 500) return;
    const { Timestamp, SnapshotId } = status < 300 && isRecord(body) ? body : {};
    if (typeof Timestamp === 'string') this.changes.add(Timestamp);
    else if (typeof SnapshotId === 'string') this.snapshots.push(SnapshotId);
    else this.uncertain += 1;
  }
}
