import { type CellView, MaterialLink } from '../components/cells.tsx';
import { Chip } from '../components/controls.tsx';
import {
  ChoiceField,
  FindingChoice,
  SearchField,
  useChoices,
  WarehouseChoice,
} from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { changeAddress, type PageProps, pick } from '../route.ts';

const FILTERS = ['at', 'since', 'search', 'client', 'unit', 'order', 'finding'];

export const MaterialsPage = ({ route: { address } }: PageProps) => {
  const { warehouses, units, kinds } = useChoices(address.get('at'));
  const isTotals = address.get('show') === 'totals';
  const showTotals = (show?: string) => changeAddress({ show, sort: undefined });
  /** Passes the filters on, so that the page of the material can link back to these rows. */
  const codeView: CellView = (cells) => (
    <MaterialLink
      code={String(cells('MaterialCode'))}
      search={address.get('search')}
      query={Object.fromEntries(address)}
    />
  );
  return (
    <>
      <search class="filters">
        <SearchField address={address} placeholder="Code, name, order or warehouse" />
        <WarehouseChoice address={address} values={warehouses} />
        <ChoiceField address={address} name="unit" label="Unit" noValue="All units" values={units} />
        <SearchField address={address} name="order" label="Purchase order" placeholder="All orders" />
        <FindingChoice address={address} kinds={kinds} />
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
        query={pick(address, FILTERS)}
        address={address}
        caption={isTotals ? 'Totals by material and unit' : 'Balances by material and warehouse'}
        noun={isTotals ? ['total', 'totals'] : ['balance', 'balances']}
        usualSort="MaterialCode"
        viewOf={({ name }) => (name === 'MaterialCode' ? codeView : undefined)}
      />
    </>
  );
};
