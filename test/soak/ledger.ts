export type KeptChange = { client: string; timestamp: string; requestId: string };

/** The serial number stands for the entries that were sent. */
export type KeptSnapshot = {
  client: string;
  snapshotId: string;
  receivedAt: string;
  requestId: string;
  entryCount: number;
  serial: number;
};

/** What the service has said that it keeps. */
export class Ledger {
  private readonly changesByKey = new Map<string, KeptChange>();
  private readonly snapshotsByKey = new Map<string, KeptSnapshot>();

  get changes(): ReadonlyMap<string, KeptChange> {
    return this.changesByKey;
  }

  get snapshots(): ReadonlyMap<string, KeptSnapshot> {
    return this.snapshotsByKey;
  }

  /** Only the first report of a change is kept; the others are answered the same. */
  addChange(change: KeptChange) {
    const key = keyOf(change.client, change.timestamp);
    if (!this.changesByKey.has(key)) this.changesByKey.set(key, change);
  }

  /** Answers whether the snapshot is a new one, as each has to be. */
  addSnapshot(snapshot: KeptSnapshot) {
    const key = keyOf(snapshot.client, snapshot.snapshotId);
    if (this.snapshotsByKey.has(key)) return false;
    this.snapshotsByKey.set(key, snapshot);
    return true;
  }
}

/** No client's name has a space. */
export const keyOf = (client: string, rest: string) => `${client} ${rest}`;
