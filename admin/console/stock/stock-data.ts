import type { Finding } from '../../check/finding.ts';
import { DAY_MS } from '../../cli/time.ts';

/**
 * All balances of a period, in columns, which need a third of the bytes of objects. A field in the singular is a
 * column. A number in `material`, `client`, `unit`, `orders` or `snapshot` is an index into that list.
 */
export type StockData = {
  /** The deployment, in words. */
  what: string;
  madeAt: number;
  since: number;
  /** The end of the period. Equals `madeAt` unless an earlier time was asked for. */
  asOf: number;
  clients: string[];
  /** By client: the hours after which an alarm rings, 0 for none, and null if the deployment does not say. */
  silenceHours: (number | null)[];
  /** By client, also from before the period. */
  lastSnapshotAt: (number | null)[];
  lastChangeAt: (number | null)[];
  snapshots: { id: string[]; client: number[]; at: number[]; entries: number[] };
  /** By client: from where on its snapshots are in the history. Later than `since` where they are too large. */
  historySince: number[];
  /** The messages of snapshots that could not be read. */
  damaged: string[];
  /** A slot is a quarter of an hour: time zones differ by whole ones, so that any of them can add up its days. */
  changes: { client: number[]; slot: number[]; count: number[] };
  units: string[];
  /** Purchase orders, separated by blanks. */
  orderLists: string[];
  materials: { code: string[]; attributes: { name: string; value: (string | null)[] }[] };
  /** One client's reports of one material: its newest purchase orders, and how many points its history has. */
  series: { material: number[]; client: number[]; orders: number[]; points: number[] };
  /** One series after the other. */
  points: { snapshot: number[]; balance: number[]; unit: number[] };
  /** Each series keeps only the last point of so many days; 0 if it keeps all. */
  thinnedToDays: number;
  findings: Finding[];
};

export const SLOT_MS = DAY_MS / 96;

/** UTC days since 1970. */
export const dayOf = (at: number) => Math.floor(at / DAY_MS);
