import type { TableName } from '../../shared/tables.ts';
import { withProgress } from '../cli/terminal.ts';
import type { tableCopier } from '../store/table-copier.ts';
import { isList } from './check-room.ts';
import type { Found, Tally } from './tally.ts';

export type Work = { table: TableName; source: ReturnType<typeof tableCopier>; newTally: () => Tally };

/** What differs between the two tables, of a list with its rows. Nothing can come of it, so that Ctrl-C may end it at once. */
export const compareTables = ({ table, source, newTally }: Work) =>
  withProgress(`Comparing ${table}`, undefined, async (reach) => {
    const tally = newTally();
    const found: Found[] = [];
    for await (const pairs of source.pairs(undefined, new AbortController().signal)) {
      const puts = tally.compare(pairs, isList(table));
      // A list is no longer than one answer of the API; the other tables have no bound.
      if (isList(table)) found.push(...puts);
      reach(tally.seen());
    }
    return { counts: tally.counts, found };
  });
