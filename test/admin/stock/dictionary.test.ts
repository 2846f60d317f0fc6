import { expect, test } from 'vitest';
import { createDictionary, NoRoomForId } from '../../../admin/stock/database/dictionary.ts';
import { openStock, spreadStockIds } from '../../../admin/stock/database/open-stock.ts';
import { rowsOf } from '../../../admin/stock/database/rows.ts';
import { iterateTable, selectWindow } from '../../../admin/stock/queries/table-query.ts';
import { tableQueries } from '../../../admin/stock/tables/tables.ts';
import { entry, makeStock } from './make-stock.ts';

const openDictionary = () => {
  const { db } = openStock(':memory:');
  const namesById = () =>
    rowsOf<{ name: string }>(db.prepare('SELECT name FROM material ORDER BY id')).map(({ name }) => name);
  return { materials: createDictionary(db, 'material'), namesById };
};

test('ids are in the order of the code units, in whatever order the texts come', () => {
  const { materials, namesById } = openDictionary();
  // U+10400 comes before U+FF21 by code unit, and after it by code point.
  const texts = ['B', 'D', 'a', 'A', 'C', '\u{10400}', '\uFF21', 'AA', '0'];
  for (const text of texts) materials.addAll([text]);
  materials.addAll(['B1', 'B0', 'B']);
  expect(namesById()).toEqual([...texts, 'B0', 'B1'].sort());
});

test('40,000 texts between two others find room, and then 200 that follow each other one by one', () => {
  const { materials, namesById } = openDictionary();
  materials.addAll(['A', 'Z']);
  materials.addAll(Array.from({ length: 40_000 }, (_, index) => `M${String(index).padStart(5, '0')}`));
  for (let index = 0; index < 200; index += 1) materials.addAll([`N${String(index).padStart(5, '0')}`]);
  const names = namesById();
  expect(names).toHaveLength(40_202);
  expect(names).toEqual(names.toSorted());
});

test('when no id is left between two texts, an error says so, and spread ids have room and the same balances', () => {
  const stock = makeStock({
    north: [
      { at: 10, entries: [entry('A', 1, 'kg', ['OT1']), entry('Z', 2, 'm')] },
      { at: 20, entries: [entry('A', 3)] },
    ],
    south: [{ at: 15, entries: [entry('Z', 5)] }],
  });
  const { db, dictionaries } = stock;
  const balances = () => [
    ...iterateTable(db, tableQueries.balances(db, {})),
    ...iterateTable(db, tableQueries.totals(db, {})),
    selectWindow(db, tableQueries.balances(db, {}), { before: [], limit: 1 })[0]?.cells,
  ];
  const before = balances();
  let left = 1_000;
  const addDownwards = () => {
    for (; left > 0; left -= 1) dictionaries.materials.addAll([`M${1_000 + left}`]);
  };
  expect(addDownwards).toThrow(NoRoomForId);
  for (let turn = 0; turn < 100 && left > 0; turn += 1) {
    spreadStockIds(stock);
    try {
      addDownwards();
    } catch (error) {
      expect(error).toBeInstanceOf(NoRoomForId);
    }
    expect(balances()).toEqual(before);
  }
  expect(left).toBe(0);
  const names = rowsOf<{ name: string }>(db.prepare('SELECT name FROM material ORDER BY id'));
  expect(names.map(({ name }) => name)).toEqual(names.map(({ name }) => name).sort());
});

test('texts in no order find room, batch after batch', () => {
  const { materials, namesById } = openDictionary();
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String(seed);
  };
  for (let batch = 0; batch < 60; batch += 1) materials.addAll(Array.from({ length: 100 }, random));
  const names = namesById();
  expect(names).toHaveLength(6_000);
  expect(names).toEqual(names.toSorted());
});
