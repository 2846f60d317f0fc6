import type { Kinds } from '../../api.ts';
import { type CellView, MaterialLink, titleOf } from '../components/cells.tsx';
import { Chip } from '../components/controls.tsx';
import { ChoiceField, SearchField, useKinds, useWarehouses } from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { formatNumber } from '../format.ts';
import { changeAddress, pick, useRoute } from '../route.ts';
import { useStock } from '../use-stock.ts';

const FILTERS = ['at', 'since', 'search', 'client', 'unit', 'order', 'finding'] as const;

const kindsOfRows = [
  {
    show: undefined,
    title: 'By warehouse',
    table: 'balances',
    caption: 'Balances by material and warehouse',
    noun: ['balance', 'balances'],
  },
  {
    show: 'totals',
    title: 'Totals',
    table: 'totals',
    caption: 'Totals by material and unit',
    noun: ['total', 'totals'],
  },
  {
    show: 'uses',
    title: 'Uses of orders',
    table: 'orderUses',
    caption: 'Where purchase orders are and were used',
    noun: ['use', 'uses'],
  },
] as const;

export const MaterialsPage = () => {
  const { parameters } = useRoute();
  const { units } = useStock();
  const { response: kinds = [] } = useKinds();
  const shown = kindsOfRows.find(({ show }) => show === parameters.get('show')) ?? kindsOfRows[0];
  /** Passes the filters on, so that the page of the material can link back to these rows. */
  const codeView: CellView = ({ MaterialCode }) => (
    <MaterialLink code={String(MaterialCode)} query={Object.fromEntries(parameters)} />
  );
  return (
    <>
      <search class="filters">
        <SearchField placeholder="Code, name, order or warehouse" />
        <ChoiceField name="client" {...useWarehouses()} />
        <ChoiceField name="unit" label="Unit" noValue="All units" values={units} />
        <SearchField name="order" label="Purchase order" placeholder="All orders" />
        <FindingChoice kinds={kinds} />
      </search>
      <fieldset class="flow">
        <legend class="hidden">Rows</legend>
        {kindsOfRows.map(({ show, title }) => (
          <Chip
            key={title}
            isPressed={title === shown?.title}
            onClick={() => changeAddress({ show, sort: undefined })}
          >
            {title}
          </Chip>
        ))}
      </fieldset>
      {shown && (
        <StockTable
          key={shown.table}
          table={shown.table}
          query={pick(parameters, FILTERS)}
          caption={shown.caption}
          noun={shown.noun}
          hasColumnChoice
          viewOf={({ name }) => (name === 'MaterialCode' ? codeView : undefined)}
        />
      )}
    </>
  );
};

const FindingChoice = ({ kinds }: { kinds: Kinds }) => {
  const counts = new Map(kinds.map(({ kind, count }) => [kind, count]));
  return (
    <ChoiceField
      name="finding"
      label="Findings"
      noValue="All materials"
      values={['any', ...counts.keys()]}
      nameOf={(kind) =>
        kind === 'any' ? 'Any finding' : `${titleOf(kind)} (${formatNumber(counts.get(kind) ?? 0)})`
      }
    />
  );
};
