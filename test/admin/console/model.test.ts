import { describe, expect, test } from 'vitest';
import { spotsIn, toModel } from '../../../admin/console/page/model.ts';
import { createFinder, sumByUnit } from '../../../admin/console/page/row-finder.ts';
import { createHistory } from '../../../admin/console/stock/stock-history.ts';
import { entryOf, MADE_AT, reportOf, sample } from '../../browser/sample.ts';

type Query = Record<string, string>;

/** The groups of rows that an address shows. */
const find = (model: ReturnType<typeof toModel>, query: Query = {}) => {
  const found = createFinder(model)(new URLSearchParams(query));
  return Array.from({ length: found.length }, (_, index) => found.at(index));
};

describe('the rows of balances', () => {
  test.each<[Query, string[]]>([
    [{ q: 'сталь' }, ['Сталь-10/А north', 'Сталь-10/А south']],
    [{ q: 'ŚRUBA NORTH' }, [`${'Śruba-7'.normalize('NFD')} north`]],
    [{ q: 'bolt ot4500001 south' }, ['ABC-1 south']],
    [{ q: 'nothing' }, []],
    [{ warehouse: 'south', unit: 'm' }, ['Rohr-2/9 south']],
    [{ order: 'ot4500005', sort: '-warehouse' }, ['Kabel-5 south', 'Kabel-5 north']],
    [{ warehouse: 'north', finding: 'unit-differs' }, ['ABC-1 north', 'Сталь-10/А north']],
    [{ warehouse: 'north', q: 'rohr', sort: 'balance' }, ['Rohr-2/10 north', 'Rohr-2/9 north']],
    [{ warehouse: 'north', q: 'rohr', sort: '-received' }, ['Rohr-2/10 north', 'Rohr-2/9 north']],
    [{ warehouse: 'north', q: 'rohr', sort: 'attribute-0' }, ['Rohr-2/10 north', 'Rohr-2/9 north']],
    [{ warehouse: 'north', q: 'rohr', sort: 'change' }, ['Rohr-2/9 north', 'Rohr-2/10 north']],
  ])('are found and sorted by %o', (query, expected) => {
    const rows = find(toModel(sample()), query).map((row) => `${row?.code} ${row?.client}`);
    expect(rows).toEqual(expected);
  });

  test('keep the order of codes where an address sorts by a column that does not exist', () => {
    const model = toModel(sample());
    for (const sort of ['attribute-9', 'constructor', 'price', '-'])
      expect(find(model, { sort }).length).toBe(model.rowCount);
    expect(find(model, { sort: 'price' })).toEqual(find(model));
  });

  test('are summed by material and unit, without the errors of doubles', () => {
    const history = createHistory();
    for (const [client, at] of [MADE_AT - 2, MADE_AT - 1].entries()) {
      const entries = [entryOf('B', client === 0 ? 0.1 : 0.2), entryOf('A', 5, client === 0 ? 'kg' : 'm')];
      history.add({ id: String(client), client, at, entries });
    }
    const model = toModel(reportOf({ history }));
    const totals = (query: Query) =>
      find(model, { show: 'totals', ...query }).map((group) => {
        const sums = sumByUnit(group?.rows ?? []);
        return `${group?.code}: ${sums.map(({ unit, balance }) => `${balance} ${unit}`).join(', ')}`;
      });
    expect(totals({ sort: 'balance' })).toEqual(['B: 0.3 kg', 'A: 5 kg, 5 m']);
    expect(totals({ warehouse: 'south' })).toEqual(['A: 5 m', 'B: 0.2 kg']);
    expect(find(model, { show: 'totals' })[0]?.at).toBe(MADE_AT - 1);
  });
});

test('a point has the change since the previous one in the same unit', () => {
  const history = createHistory();
  const ofA = [1, 4.3, 4.3].map((balance) => entryOf('A', balance));
  for (const [index, entry] of [...ofA, entryOf('B', 1, 'kg'), entryOf('B', 2, 'm')].entries())
    history.add({ id: String(index), client: 0, at: MADE_AT - 10 + index, entries: [entry] });
  const { rowAt } = toModel(reportOf({ history }));
  expect(rowAt(0).points.map(({ by }) => by)).toEqual([undefined, 3.3, 0]);
  expect(rowAt(1).points.map(({ by }) => by)).toEqual([undefined, undefined]);
});

test('a line has a gap where the client used another unit', () => {
  const points = ['kg', 'm', 'kg'].map((unit, at) => ({ at, balance: at, unit, by: undefined }));
  const spots = spotsIn('kg', points).map(({ at, balance }) => `${at} ${balance}`);
  expect(spots).toEqual(['0 0', '1 0', '1 NaN', '2 2']);
});
