import { describe, expect, test } from 'vitest';
import { unitsIn } from '../../../admin/check/units.ts';
import { entry, findingsOf } from './compared.ts';

const find = findingsOf.bind(undefined, 'unit-differs');

describe('the units of a material', () => {
  test('are found where they differ between clients', () => {
    const latest = [
      { client: 'north', entries: [entry('A', 'kg'), entry('B', 'm')] },
      { client: 'south', entries: [entry('A', 't'), entry('B', 'm')] },
      { client: 'west', entries: [entry('A', 'kg')] },
    ];
    expect(find({ latest })).toEqual([
      {
        client: '',
        subject: 'A',
        detail: 'Comes in "kg" from north and west and "t" from south. Let all of them send the same unit.',
      },
    ]);
  });

  test('are found where they differ from the snapshot before', () => {
    const latest = [
      {
        client: 'north',
        entries: [entry('A', 't'), entry('B'), entry('new', 'm')],
        previous: unitsIn([entry('A'), entry('B'), entry('gone', 'm')]),
      },
    ];
    expect(find({ latest })).toEqual([
      {
        client: 'north',
        subject: 'A',
        detail:
          'Is in "t", and was in "kg" in the snapshot before. Ask whether its balance was converted, too.',
      },
    ]);
  });

  test.each([
    [{ Unit: 't' }, 'Unit'],
    [{ StockBalanceUnit: 't', Unit: 'kg' }, 'StockBalanceUnit'],
    [{ StockBalanceUnit: 7, Unit: 't' }, 'Unit'],
  ])('are found where they differ from the row %j', (attributes, name) => {
    const latest = [{ client: 'north', entries: [entry('A')] }];
    expect(find({ codes: [{ MaterialCode: 'A', ...attributes }], latest })).toEqual([
      {
        client: 'north',
        subject: 'A',
        detail: `Is in "kg", and has the ${name} "t" in the list. Correct the one that is wrong.`,
      },
    ]);
  });

  test('are not found where they are the same, or the list says nothing of them', () => {
    const codes = [{ MaterialCode: 'A', Unit: 'kg' }, { MaterialCode: 'B', Unit: 7 }, 'C'];
    const entries = [entry('A'), entry('B'), entry('C', 'm')];
    const latest = ['north', 'south'].map((client) => ({ client, entries, previous: unitsIn(entries) }));
    expect(find({ codes, latest })).toEqual([]);
  });
});

describe('units that look alike', () => {
  const latestWith = (...units: string[]) => [
    { client: 'north', entries: ['kg', 'kg', ...units].map((unit, index) => entry(`A-${index}`, unit)) },
  ];
  const USUAL = 'May be the same unit as "kg", which 2 balances have';
  const MEND = '1 balance has it, such as that of A-2. If it is, let all send the same.';

  test.each([
    [
      'KG',
      '"K" (U+004B, Latin) where the other has "k" (U+006B, Latin), at 1; "G" (U+0047, Latin) where the other has "g" (U+0067, Latin), at 2',
    ],
    [
      'кг',
      '"к" (U+043A, Cyrillic) where the other has "k" (U+006B, Latin), at 1; "г" (U+0433, Cyrillic) where the other has "g" (U+0067, Latin), at 2',
    ],
    ['kg ', '" " (U+0020) where the other has nothing, at 3'],
    ['kg.', '"." (U+002E) where the other has nothing, at 3'],
    ['ｋg', '"ｋ" (U+FF4B, Latin, full-width) where the other has "k" (U+006B, Latin), at 1'],
  ])('are found: %j', (unit, difference) => {
    expect(find({ latest: latestWith(unit) })).toEqual([
      { client: 'north', subject: unit, detail: `${USUAL}: ${difference}. ${MEND}` },
    ]);
  });

  test.each([
    ['м', 'm'],
    ['м²', 'm2'],
    ['см', 'cm'],
    ['Шт.', 'шт'],
    ['\u00B5m', '\u03BCm'],
  ])('are found: %s and %s, the more usual of them taken for the right one', (odd, usual) => {
    const latest = [
      { client: 'north', entries: [entry('A', odd), entry('B', usual)] },
      { client: 'south', entries: [entry('C', usual), entry('D', odd), entry('E', usual)] },
    ];
    const [found, ...others] = find({ latest });
    expect(found).toMatchObject({ client: '', subject: odd });
    expect(found?.detail).toContain(`"${usual}", which 3 balances have`);
    expect(found?.detail).toContain('2 balances have it, such as that of A.');
    expect(others).toEqual([]);
  });

  test('are not found where they look different', () => {
    expect(find({ latest: latestWith('g', 't', 'т/м', 'm', 'шт', 'pcs', 'm2', 'm3', 'л') })).toEqual([]);
  });
});
