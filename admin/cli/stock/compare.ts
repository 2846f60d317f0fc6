import { defineCommand, type Group } from '../terminal/define-command.ts';
import { atOption, flag, historyOption, requiredTime, text } from '../terminal/options.ts';
import { toTable } from '../terminal/output.ts';
import { announceEnd } from '../terminal/period.ts';
import { describeDamages, openTable } from './open-table.ts';
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
    run: ({ before: earlier, codes: search, totals, ...options }, { isForPeople }) => {
      const before = announceEnd(earlier, 'Compared with');
      return withStock(options, { batches: 'all', at: before }, async function* (stock) {
        yield* describeDamages(stock);
        const { since: _, ...filter } = stock.filter;
        const table = totals ? 'comparedMaterials' : 'compared';
        const names = [
          'MaterialCode',
          ...(totals ? [] : ['Client']),
          ...SIDES,
          ...(isForPeople ? [] : ['BatchesSince']),
        ];
        const { columns, rows } = openTable(stock.db, table, { ...filter, before, search }, names);
        yield toTable(columns, rows);
      });
    },
  });

const SIDES = ['StockBalanceBefore', 'StockBalanceAfter', 'Difference', 'StockBalanceUnit'];
