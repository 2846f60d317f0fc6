import { MaterialLink, type View } from '../components/cells.tsx';
import { Chip } from '../components/controls.tsx';
import { ChoiceField, FindingChoice, SearchField, useChoices } from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { type PageProps, pick, replaceQuery } from '../route.ts';

const FILTERS = ['at', 'since', 'search', 'client', 'unit', 'order', 'finding'];

export const MaterialsPage = ({ route: { query } }: PageProps) => {
  const { warehouses, units, kinds } = useChoices(query.get('at'));
  const isTotals = query.get('show') === 'totals';
  const showTotals = (show?: string) => replaceQuery({ show, sort: undefined });
  /** Passes the filters on, so that the page of the material can link back to these rows. */
  const codeView: View = (cells) => (
    <MaterialLink
      code={String(cells('MaterialCode'))}
      search={query.get('search')}
      query={Object.fromEntries(query)}
    />
  );
  return (
    <>
      <search class="filters">
        <SearchField query={query} placeholder="Code, name, order or warehouse" />
        <ChoiceField query={query} name="client" label="Warehouse" all="All warehouses" values={warehouses} />
        <ChoiceField query={query} name="unit" label="Unit" all="All units" values={units} />
        <SearchField query={query} name="order" label="Purchase order" placeholder="All orders" />
        <FindingChoice query={query} kinds={kinds} />
      </search>
      <fieldset class="flow">
        <legend class="hidden">Rows</legend>
        <Chip isPressed={!isTotals} onClick={() => showTotals()}>
          By warehouse
        </Chip>
        <Chip isPressed={isTotals} onClick={() => showTotals('totals')}>
          Totals
        </Chip>
      </fieldset>
      <StockTable
        key={isTotals}
        table={isTotals ? 'totals' : 'balances'}
        query={pick(query, FILTERS)}
        address={query}
        caption={isTotals ? 'Totals by material and unit' : 'Balances by material and warehouse'}
        noun={isTotals ? ['total', 'totals'] : ['balance', 'balances']}
        usualSort="MaterialCode"
        viewOf={({ name }) => (name === 'MaterialCode' ? codeView : undefined)}
      />
    </>
  );
};
