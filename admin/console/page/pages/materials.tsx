import { useEffect, useMemo, useRef } from 'preact/hooks';
import { kinds } from '../../../check/finding.ts';
import { counted, grouped } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { Amount } from '../components/amount.tsx';
import { Chip, Choice, Search, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import type { Model, Row } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { finderOf, type Total } from '../row-finder.ts';
import { HistoryNotes } from './history-notes.tsx';
import { type MaterialsQuery, noFilters, readMaterialsQuery, writeSort } from './materials-query.ts';

export const MaterialsPage = ({ model, route }: PageProps) => {
  const address = route.query.toString();
  const query = useMemo(() => readMaterialsQuery(new URLSearchParams(address)), [address]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('.scroll')?.scrollTo({ top: 0 }), [address]);
  return (
    <div ref={box}>
      <HistoryNotes data={model.data} />
      <Filter model={model} query={query} />
      {query.isTotals ? (
        <Totals model={model} query={query} address={address} />
      ) : (
        <Balances model={model} query={query} address={address} />
      )}
    </div>
  );
};

type FilterProps = { model: Model; query: MaterialsQuery };

const Filter = ({ model: { data }, query: { filters, isTotals } }: FilterProps) => {
  const found = new Set(data.findings.map(({ kind }) => kind));
  return (
    <search class="flow filters">
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
        label="Findings of the check"
        all="With or without"
        values={['any', ...Object.keys(kinds).filter((kind) => found.has(kind))]}
        value={filters.finding}
        onChange={(finding) => replaceQuery({ finding })}
      />
      <fieldset class="flow">
        <legend class="soft small">Rows</legend>
        <Chip isPressed={!isTotals} onClick={() => replaceQuery({ show: undefined, sort: undefined })}>
          By warehouse
        </Chip>
        <Chip isPressed={isTotals} onClick={() => replaceQuery({ show: 'totals', sort: undefined })}>
          Totals
        </Chip>
      </fieldset>
    </search>
  );
};
