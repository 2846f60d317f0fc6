import * as v from 'valibot';
import { section } from '../section.ts';
import { documentFirst, First, measureFirst } from './first.ts';
import { documentGrowth, Growth, measureSize } from './growth.ts';
import { documentImports, Imports, measureImport } from './import.ts';
import { documentLimit, Limit, measureOutgrown } from './limit.ts';
import { documentSegments, measureSegments, Segments } from './segments.ts';
import { listsSetup } from './setup.ts';
import { longRow, shortRow } from './table.ts';

const SIZES = [1_000, 10_000, 100_000];
/** With the short rows, a few more than an answer carries. */
const JUST_PAST_ROWS = 120_000;
const FAR_PAST_ROWS = 10_000;
const IMPORTED_ROWS = [JUST_PAST_ROWS, 1_000_000];

const Lists = v.strictObject({
  memoryMb: v.number(),
  growth: Growth,
  segments: Segments,
  first: First,
  limit: Limit,
  imports: Imports,
});

const measure = async (say: (line: string) => void): Promise<v.InferOutput<typeof Lists>> => {
  const setup = await listsSetup();
  try {
    const empty = { table: await setup.createTable(), rows: 0 };
    const lists: (typeof empty)[] = [];
    const growth: v.InferOutput<typeof Growth> = [];
    for (const rows of SIZES) {
      say(`${rows} codes`);
      const table = await setup.createTable();
      await setup.fill(table, rows);
      lists.push({ table, rows });
      growth.push(await measureSize(setup, table, rows));
    }
    say('segments');
    const segments = await measureSegments(setup, [empty, ...lists]);
    say('the first list of a process');
    const [smallest = empty] = lists;
    const first = await measureFirst(setup, smallest.table, smallest.rows);
    say('past the limit');
    const table = lists.at(-1)?.table ?? '';
    await setup.fill(table, JUST_PAST_ROWS, shortRow, SIZES.at(-1));
    const far = await setup.createTable();
    await setup.fill(far, FAR_PAST_ROWS, longRow);
    const limit = [
      await measureOutgrown(setup, { name: 'just past', table, rows: JUST_PAST_ROWS, rowOf: shortRow }),
      await measureOutgrown(setup, { name: 'far past', table: far, rows: FAR_PAST_ROWS, rowOf: longRow }),
    ];
    const imports: v.InferOutput<typeof Imports> = [];
    for (const rows of IMPORTED_ROWS) imports.push(await measureImport(setup, rows));
    return { memoryMb: setup.memoryMb, growth, segments, first, limit, imports };
  } finally {
    await setup.stop();
  }
};

export const lists = section({
  name: 'lists',
  schema: Lists,
  measure,
  document: ({ memoryMb, growth, segments, first, limit, imports }) =>
    [
      '## Lists up to the limit, and past it\n',
      documentGrowth(growth, memoryMb),
      documentSegments(segments),
      documentFirst(first),
      documentLimit(limit, memoryMb),
      documentImports(imports),
    ].join('\n'),
});
