import { DAY_MS } from '../cli/time.ts';

/** A finding of the check, with its kind in words; the page groups by it. */
export type ReportFinding = { kind: string; client: string; subject: string; detail: string };

/**
 * All that the page shows, in columns, which take a third of the bytes of objects. A field in the singular is a
 * column. A number in `material`, `client`, `unit` or `snapshot` is an index into that list.
 */
export type ReportData = {
  /** The deployment, in words. */
  what: string;
  madeAt: number;
  since: number;
  clients: string[];
  snapshots: { client: number[]; at: number[]; entries: number[] };
  /** The messages of snapshots that could not be read. */
  damaged: string[];
  changes: { client: number[]; day: number[]; count: number[] };
  /** By client. */
  lastChangeAt: (number | null)[];
  units: string[];
  materials: { code: string[]; attributes: { name: string; value: (string | null)[] }[] };
  /** One client's statements of one material: its newest purchase orders, and how many points its history has. */
  series: { material: number[]; client: number[]; orders: string[]; points: number[] };
  /** One series after the other. */
  points: { snapshot: number[]; balance: number[]; unit: number[] };
  /** Each series keeps only the last point of so many days; 0 if it keeps all. */
  thinnedToDays: number;
  findings: ReportFinding[];
};

/** UTC days since 1970. */
export const dayOf = (at: number) => Math.floor(at / DAY_MS);
