import { isRecord } from '../../shared/record.ts';

/** What was written, as far as the answers tell. */
export class Records {
  readonly changes = new Set<string>();
  readonly snapshots: string[] = [];
  /** Nobody knows what became of these. */
  withoutAnswer = 0;
  private next: number;

  constructor(startedAt: number) {
    this.next = startedAt;
  }

  /** Another one each time, so that each is a record of its own. */
  newTimestamp() {
    const timestamp = new Date(this.next).toISOString().replace('.', ',');
    this.next += 1;
    return timestamp;
  }

  add(status: number, body: unknown) {
    if (status >= 500) this.withoutAnswer += 1;
    if (status >= 300 || !isRecord(body)) return;
    const { Timestamp, SnapshotId } = body;
    if (typeof Timestamp === 'string') this.changes.add(Timestamp);
    if (typeof SnapshotId === 'string') this.snapshots.push(SnapshotId);
  }
}
