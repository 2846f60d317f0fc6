import type { Sort } from '../components/data-table.tsx';
import { replaceQuery } from '../route.ts';
import type { Filters } from '../row-finder.ts';

/** What the address says of the list of materials. A material's own page keeps it for the way back. */
export const readMaterialsQuery = (query: URLSearchParams) => {
  const read = (name: string) => query.get(name) ?? '';
  const [, minus = '', by = ''] = /^(-?)(.*)$/.exec(read('sort')) ?? [];
  const filters: Filters = {
    words: read('q'),
    client: read('warehouse'),
    unit: read('unit'),
    order: read('order'),
    finding: read('finding'),
  };
  const sort: Sort = { by: by || 'code', isDescending: minus !== '' };
  return { filters, sort, isTotals: read('show') === 'totals' };
};

export const replaceSort = ({ by, isDescending }: Sort) =>
  replaceQuery({ sort: `${isDescending ? '-' : ''}${by}` });
