import { kinds } from '../../../check/finding.ts';
import type { StockData } from '../../stock/stock-data.ts';
import { Choice, Search } from '../components/controls.tsx';
import { replaceQuery } from '../route.ts';
import type { Filters } from '../row-finder.ts';

const explanations = new Map<string, string>(Object.entries(kinds));

export const MaterialsFilter = ({ data, filters }: { data: StockData; filters: Filters }) => {
  const found = new Set<string>(data.findings.map(({ kind }) => kind));
  return (
    <search class="filters">
      <Search
        label="Search"
        placeholder="Code, name, order or warehouse"
        value={filters.words}
        onInput={(q) => replaceQuery({ q })}
      />
      <Choice
        label="Warehouse"
        all="All warehouses"
        values={data.clients}
        value={filters.client}
        onChange={(warehouse) => replaceQuery({ warehouse })}
      />
      <Choice
        label="Unit"
        all="All units"
        values={data.units}
        value={filters.unit}
        onChange={(unit) => replaceQuery({ unit })}
      />
      <Search
        label="Purchase order"
        placeholder="All orders"
        value={filters.order}
        onInput={(order) => replaceQuery({ order })}
      />
      <Choice
        label="Findings"
        all="With and without"
        values={['any', ...[...explanations.keys()].filter((kind) => found.has(kind))]}
        nameOf={(kind) => explanations.get(kind) ?? 'Any finding'}
        value={filters.finding}
        onChange={(finding) => replaceQuery({ finding })}
      />
    </search>
  );
};
