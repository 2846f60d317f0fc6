import type { DatabaseSync } from 'node:sqlite';
import { writeComparison } from '../../formats/write-comparison.ts';
import type { Filter } from '../../stock/queries/filter.ts';
import { countRows } from '../../stock/queries/read-table.ts';
import { splitSearch } from '../../stock/search.ts';
import { tableQuery } from '../../stock/tables/tables.ts';
import { joinFirstNames } from '../../text/words.ts';
import { defineCommand, type Group } from '../terminal/define-command.ts';
import { writeOutFile } from '../terminal/interruption.ts';
import { atOption, flag, historyOption, requiredTime, text } from '../terminal/options.ts';
import { toTable } from '../terminal/output.ts';
import { announceEnd } from '../terminal/period.ts';
import { describeDamages, openTable, toTexts } from './open-table.ts';
import { stockOptions, withStock } from './with-stock.ts';

export const addCompare = (program: Group) =>
  defineCommand(program, {
    name: 'compare',
    description: 'compare the balances of two times, over all warehouses',
    options: {
      before: requiredTime('<before>', 'the earlier time; a day means its end'),
      codes: text(
        '--codes <codes>',
        'codes with a comma and a blank between them: "A-1, B-2"; by default, all codes',
      ),
      ...stockOptions({
        at: atOption('the later balances'),
        history: historyOption,
        totals: flag('--totals', 'add the balances of each material over the warehouses'),
      }),
    },
    examples: ['compare 7d', 'compare 2026-10-01 --codes "ABC-1, ABC-2" --at 2026-11-01 --out october.xlsx'],
    run: ({ before: earlier, codes: search, totals, ...options }, { isForPeople, format }) => {
      const { out } = options;
      const before = announceEnd(earlier, 'Compared with');
      return withStock(options, { batches: 'all', at: before }, async function* (stock) {
        yield* describeDamages(stock);
        const { session, db } = stock;
        const { since: _, ...chosen } = stock.filter;
        const filter = { ...chosen, before };
        yield* describeNotFound(db, toTexts(filter), search);
        if (out !== undefined && format.kind === 'xlsx') {
          const about = { deploymentName: session.deployment.name, now: session.now };
          await writeOutFile(out, (sink) => writeComparison(sink, db, toTexts({ ...filter, search }), about));
          return yield `Written: ${out}`;
        }
        const table = totals ? 'comparedMaterials' : 'compared';
        const { columns, rows } = openTable(db, table, { ...filter, search }, namesOf(totals, isForPeople));
        yield toTable(columns, rows);
      });
    },
  });

function* describeNotFound(db: DatabaseSync, filter: Filter, codes = '') {
  const missing = splitSearch(codes)
    .map((words) => words.join(' '))
    .filter((search) => countRows(db, tableQuery(db, 'compared', { ...filter, search })) === 0);
  if (missing.length > 0) yield `No balance of either time has ${joinFirstNames(missing)}.`;
}

const namesOf = (totals: boolean | undefined, isForPeople: boolean) => [
  'MaterialCode',
  ...(totals ? [] : ['Client']),
  ...SIDES,
  ...(isForPeople ? [] : ['BatchesSince']),
];

const SIDES = ['StockBalanceBefore', 'StockBalanceAfter', 'Difference', 'StockBalanceUnit'];
