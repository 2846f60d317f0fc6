import { type CellView, MaterialLink } from '../components/cells.tsx';
import { Chip } from '../components/controls.tsx';
import {
  ChoiceField,
  FindingChoice,
  SearchField,
  useChoices,
  useKinds,
  WarehouseChoice,
} from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { changeAddress, type PageProps, pick } from '../route.ts';

const FILTERS = ['at', 'since', 'search', 'client', 'unit', 'order', 'finding'] as const;

export const MaterialsPage = ({ route: { parameters } }: PageProps) => {
  const { warehouses, units } = useChoices();
  const { response: kinds = [] } = useKinds(parameters.get('at'));
  const isTotals = parameters.get('show') === 'totals';
  const showTotals = (show?: string) => changeAddress({ show, sort: undefined });
  /** Passes the filters on, so that the page of the material can link back to these rows. */
  const codeView: CellView = (cells) => (
    <MaterialLink
      code={String(cells('MaterialCode'))}
      search={parameters.get('search')}
      query={Object.fromEntries(parameters)}
    />
  );
  return (
    <>
      <search class="filters">
        <SearchField parameters={parameters} placeholder="Code, name, order or warehouse" />
        <WarehouseChoice parameters={parameters} values={warehouses} />
        <ChoiceField parameters={parameters} name="unit" label="Unit" noValue="All units" values={units} />
        <SearchField parameters={parameters} name="order" label="Purchase order" placeholder="All orders" />
        <FindingChoice parameters={parameters} kinds={kinds} />
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
        query={pick(parameters, FILTERS)}
        parameters={parameters}
        caption={isTotals ? 'Totals by material and unit' : 'Balances by material and warehouse'}
        noun={isTotals ? ['total', 'totals'] : ['balance', 'balances']}
        usualSort="MaterialCode"
        viewOf={({ name }) => (name === 'MaterialCode' ? codeView : undefined)}
      />
    </>
  );
};
