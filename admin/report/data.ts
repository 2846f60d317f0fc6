import { DAY_MS } from '../cli/time.ts';

/** What the check has to say, its kind in words; the page groups by it. */
export type ReportFinding = { kind: string; client: string; subject: string; detail: string };

/**
 * All that the page shows, in columns, which take a third of the bytes that objects take. What is named in the
 * singular is a column, and a number in `material`, `client`, `unit` or `snapshot` is a place in that list.
 */
export type ReportData = {
  /** The deployment, in words. */
  what: string;
  madeAt: number;
  since: number;
  clients: string[];
  snapshots: { client: number[]; at: number[]; entries: number[] };
  /** Snapshots that could not be read. */
  damaged: string[];
  changes: { client: number[]; day: number[]; count: number[] };
  /** By client. */
  lastChangeAt: (number | null)[];
  units: string[];
  materials: { code: string[]; attributes: { name: string; value: (string | null)[] }[] };
  /** What one client says of one material: its newest purchase orders, and how many points are its history. */
  series: { material: number[]; client: number[]; orders: string[]; points: number[] };
  /** One series after the other; `snapshot` is counted from the point before it in the same series. */
  points: { snapshot: number[]; balance: number[]; unit: number[] };
  /** Of each series, of so many days, only the last point is there; 0: all are. */
  thinnedToDays: number;
  findings: ReportFinding[];
};

/** UTC days since 1970. */
export const dayOf = (at: number) => Math.floor(at / DAY_MS);
