import type { Sort } from '../components/data-table.tsx';
import type { Filters } from '../row-finder.ts';

/** What the address says of the list of materials. A material's own page keeps it for the way back. */
export type MaterialsQuery = { filters: Filters; sort: Sort; isTotals: boolean };

export const readMaterialsQuery = (query: URLSearchParams): MaterialsQuery => {
  const read = (name: string) => query.get(name) ?? '';
  const sort = read('sort');
  const by = sort.replace(/^-/, '');
  return {
    filters: {
      words: read('q'),
      client: read('warehouse'),
      unit: read('unit'),
      order: read('order'),
      finding: read('finding'),
    },
    sort: { by: by || 'code', isDescending: by !== sort },
    isTotals: read('show') === 'totals',
  };
};

export const writeSort = ({ by, isDescending }: Sort) => `${isDescending ? '-' : ''}${by}`;

/** No filter, in the order of the codes. */
export const noFilters = {
  q: undefined,
  warehouse: undefined,
  unit: undefined,
  order: undefined,
  finding: undefined,
};
