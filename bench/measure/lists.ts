import { count, formatSpread, sizesTable } from '../markdown.ts';
import { competitors, OURS } from './batch-contestants.ts';
import type { Bundler } from './bundles.ts';
import { environmentOf } from './environment.ts';
import { eventOf, shortRow } from './events.ts';
import { repeatRequests } from './repeat-requests.ts';
import type { Rounds, Spread } from './series.ts';
import { tablesIn } from './tables.ts';

const LIST = 'get-material-codes';

export type ListSize = Rounds & { rows: number };
export type List = { name: string; size: number; ms: Spread; peakMb: number };

export const measureLists = async (
  bundler: Bundler,
  engine: string,
  sizes: readonly ListSize[],
): Promise<List[]> => {
  const tables = tablesIn(engine);
  const contestants = [...competitors(bundler), { name: OURS, file: bundler.deployed.ours(LIST).file }];
  const measured: List[] = [];
  for (const { rows, ...rounds } of sizes) {
    const table = await tables.create(LIST);
    await tables.fill(table, rows, shortRow);
    const requests = {
      environment: environmentOf({ tables: engine, table }),
      eventOf: (serial: number) => eventOf({ operation: LIST, serial }),
      time: 'ms' as const,
      rounds,
    };
    for (const list of await repeatRequests(contestants, requests)) measured.push({ ...list, size: rows });
  }
  return measured;
};

export const listTable = (lists: readonly List[]) =>
  sizesTable('Elapsed, ms; peak', lists, ({ ms, peakMb }) => `${formatSpread(ms)}; ${count(peakMb)} MB`);
