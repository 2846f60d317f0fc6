import { DAY_MS } from '../../../shared/time.ts';
import type { Finding } from '../../check/finding.ts';

/**
 * All balances of a period in columns, because objects need three times the bytes. A field in the singular is a column.
 * A number in `material`, `client`, `unit`, `orders` or `snapshot` is an index into the list of that name.
 */
export type StockData = {
  /** The name of the deployment for people. */
  what: string;
  madeAt: number;
  since: number;
  /** The end of the period. Equals `madeAt` unless the request names an earlier time. */
  asOf: number;
  clients: string[];
  /** By client: from when on it is late. Null if nobody waits for its batches. */
  lateFrom: (number | null)[];
  /** By client. May be before the period. */
  lastSnapshotAt: (number | null)[];
  lastChangeAt: (number | null)[];
  snapshots: { id: string[]; client: number[]; at: number[]; entries: number[] };
  /** By client: the start of its history. Later than `since` if its snapshots are too large. */
  historySince: number[];
  /** The messages of snapshots that could not be read. */
  damaged: string[];
  /** A slot is a quarter of an hour, because the days of every time zone consist of whole quarters. */
  changes: { client: number[]; slot: number[]; count: number[] };
  units: string[];
  /** Purchase orders, separated by blanks. */
  orderLists: string[];
  materials: { code: string[]; attributes: { name: string; value: (string | null)[] }[] };
  /** A series has one client's reports of one material. `points` is their number. */
  series: { material: number[]; client: number[]; orders: number[]; points: number[] };
  /** The points of the first series come first. */
  points: { snapshot: number[]; balance: number[]; unit: number[] };
  /** Each series has only its last point of each span of so many days. 0 if it has all points. */
  thinnedToDays: number;
  findings: Finding[];
};

export const SLOT_MS = DAY_MS / 96;

/** UTC days since 1970. */
export const dayOf = (at: number) => Math.floor(at / DAY_MS);
