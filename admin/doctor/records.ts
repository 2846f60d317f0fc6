import { isRecord } from '../../shared/schemas/json.ts';

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

  /** What is refused was not written. A success, or a failure, that names nothing leaves it open. */
  add(status: number, body: unknown) {
    if (status >= 300 && status < 500) return;
    const { Timestamp, SnapshotId } = status < 300 && isRecord(body) ? body : {};
    if (typeof Timestamp === 'string') this.changes.add(Timestamp);
    else if (typeof SnapshotId === 'string') this.snapshots.push(SnapshotId);
    else this.withoutAnswer += 1;
  }
}
