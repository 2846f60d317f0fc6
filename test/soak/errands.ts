import { gunzipSync } from 'node:zlib';
import { timestampOf } from '../support/batches.ts';
import type { Answer } from '../support/http-client.ts';
import { LARGE_BATCH, SMALL_BATCH, sentEntries } from './batches.ts';
import type { Ledger } from './ledger.ts';
import type { Lists } from './lists.ts';

/** A request, the status that its answer has to have, and what is wrong with such an answer, if anything is. */
export type Errand = {
  kind: Kind;
  path: string;
  body?: string;
  status: number;
  faultOf: (answer: Answer) => string | undefined;
};

export const kinds = [
  'change',
  'change again',
  'material codes',
  'purchase orders',
  'batch of 200',
  'batch of 40,000',
  'refused batch',
] as const;
export type Kind = (typeof kinds)[number];

/** Makes the errands of all clients, and enters in the ledger what is acknowledged. */
export class Errands {
  private readonly ledger: Ledger;
  private readonly lists: Lists;
  private serial = 0;
  private readonly changeCounts = new Map<string, number>();

  constructor(ledger: Ledger, lists: Lists) {
    this.ledger = ledger;
    this.lists = lists;
  }

  for(kind: Kind, client: string): Errand {
    switch (kind) {
      case 'change':
        return this.change(kind, client, this.nextChange(client));
      case 'change again':
        return this.change(kind, client, this.changeCounts.get(client) ?? this.nextChange(client));
      case 'material codes':
        return this.list(kind, 'material-codes', this.lists.materialCodes.json);
      case 'purchase orders':
        return this.list(kind, 'purchase-orders', this.lists.purchaseOrders.json);
      case 'batch of 200':
        return this.batch(kind, client, SMALL_BATCH);
      case 'batch of 40,000':
        return this.batch(kind, client, LARGE_BATCH);
      case 'refused batch':
        return this.refusedBatch(kind);
    }
  }

  private nextChange(client: string) {
    const count = (this.changeCounts.get(client) ?? 0) + 1;
    this.changeCounts.set(client, count);
    return count;
  }

  /** The clients report the same instants, each for itself. */
  private change(kind: Kind, client: string, count: number): Errand {
    const timestamp = timestampOf(FIRST_CHANGE + count);
    return {
      kind,
      path: 'changes',
      body: JSON.stringify({ Timestamp: timestamp }),
      status: 200,
      faultOf: (answer) => {
        this.ledger.addChange({ client, timestamp, requestId: requestIdOf(answer) });
        return answer.json().Timestamp === timestamp ? undefined : `answered ${answer.text} to ${timestamp}`;
      },
    };
  }

  private list(kind: Kind, path: string, json: string): Errand {
    return {
      kind,
      path,
      status: 200,
      faultOf: ({ headers, bytes }) => {
        const text = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes).toString() : bytes.toString();
        return text === json ? undefined : `is another list, of ${text.length} characters`;
      },
    };
  }

  private batch(kind: Kind, client: string, entryCount: number): Errand {
    this.serial += 1;
    const { serial } = this;
    return {
      kind,
      path: 'material-stock-balance',
      body: JSON.stringify({ MaterialCodes: sentEntries(entryCount, serial) }),
      status: 200,
      faultOf: (answer) => {
        const { SnapshotId: snapshotId, ReceivedAt: receivedAt, EntryCount } = answer.json();
        const requestId = requestIdOf(answer);
        const isNew = this.ledger.addSnapshot({
          client,
          snapshotId,
          receivedAt,
          requestId,
          entryCount,
          serial,
        });
        if (!isNew) return `is the snapshot ${snapshotId} a second time`;
        return EntryCount === entryCount ? undefined : `tells of ${EntryCount} entries`;
      },
    };
  }

  private refusedBatch(kind: Kind): Errand {
    const faulty = sentEntries(SMALL_BATCH, 0).with(FAULTY_ENTRY, Object({ MaterialCode: 'ABC 1' }));
    return {
      kind,
      path: 'material-stock-balance',
      body: JSON.stringify({ MaterialCodes: faulty }),
      status: 400,
      faultOf: (answer) => {
        const { errors = [], errorCount } = answer.json();
        const isTold = errorCount === errors.length && errors.every(pointsAtTheFault);
        return isTold && errorCount > 0 ? undefined : `answered ${answer.text.slice(0, 300)}`;
      },
    };
  }
}

const FIRST_CHANGE = Date.UTC(2026, 2, 1);
const FAULTY_ENTRY = 117;

const pointsAtTheFault = ({ pointer }: { pointer: string }) =>
  pointer.startsWith(`#/MaterialCodes/${FAULTY_ENTRY}/`);

const requestIdOf = ({ headers }: Answer) => String(headers['x-amzn-requestid']);
