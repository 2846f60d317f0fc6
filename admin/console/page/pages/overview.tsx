import type { ComponentChildren } from 'preact';
import { DAY_MS } from '../../../../shared/time.ts';
import type { Kinds, Overview } from '../../api.ts';
import type { CellView, CellViews } from '../components/cells.tsx';
import { Waiting } from '../components/controls.tsx';
import { Download } from '../components/download.tsx';
import { useKinds } from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { countOf, formatNumber } from '../format.ts';
import { hrefTo, hrefWith, pick, useRoute } from '../route.ts';
import { pathTo } from '../source.ts';
import { useStock, useStockResponse } from '../use-stock.ts';
import { ArrivalsTable } from './arrivals.tsx';

export const OverviewPage = () => {
  const { parameters } = useRoute();
  const at = parameters.get('at');
  const kinds = useKinds();
  const checked = at && kinds.response ? 'yes' : undefined;
  return (
    <>
      <Figures kinds={kinds} />
      <StockTable
        table="warehouses"
        query={{ ...pick(parameters, ['at', 'late']), checked }}
        caption="Warehouses"
        noun={['warehouse', 'warehouses']}
        viewOf={({ name }) => views[name]}
      />
      <ArrivalsTable at={at} />
      <Download content="the report" path={['report']} query={{ at }} formats={{ xlsx: 'XLSX' }} />
    </>
  );
};

const Figures = ({ kinds }: { kinds: ReturnType<typeof useKinds> }) => {
  const { parameters } = useRoute();
  const { asOf, isFirstRead } = useStock();
  const { response, ...state } = useStockResponse<Overview>(pathTo(['overview'], pick(parameters, ['at'])));
  if (!response) return <Waiting response={response} {...state} />;
  const { warehouses, late, batches, materials } = response;
  const since = new Date(asOf - 30 * DAY_MS).toISOString();
  const hrefToLate = hrefWith({ page: undefined, late: late > 0 ? 'true' : undefined });
  return (
    <ul class="figures small">
      <Figure href={hrefToLate} count={late} isBad={late > 0}>
        of {countOf(warehouses, 'warehouse')} late
      </Figure>
      <Figure href={hrefTo('batches', [], { since })} count={batches}>
        batches in 30 days
      </Figure>
      <Figure href={hrefTo('materials')} count={materials}>
        materials
      </Figure>
      {kinds.response ? (
        <FindingsFigure kinds={kinds.response} />
      ) : (
        <li>
          <Waiting {...kinds} />
        </li>
      )}
      {warehouses === 0 && !isFirstRead && <li>There are no clients. Add one on the page Clients.</li>}
    </ul>
  );
};

const FindingsFigure = ({ kinds }: { kinds: Kinds }) => {
  const sum = (counted: Kinds) => counted.reduce((total, { count }) => total + count, 0);
  const errors = sum(kinds.filter(({ severity }) => severity === 'error'));
  return (
    <Figure href={hrefTo('findings')} count={sum(kinds)} isBad={errors > 0}>
      findings, {countOf(errors, 'error')}
    </Figure>
  );
};

type FigureProps = { href: string; count: number; isBad?: boolean; children: ComponentChildren };

const Figure = ({ href, count, isBad = false, children }: FigureProps) => (
  <li>
    <a href={href} class={isBad ? 'bad' : ''}>
      <strong>{formatNumber(count)}</strong> {children}
    </a>
  </li>
);

const findingsView =
  (column: string, severity: string): CellView =>
  (cells) => {
    const count = Number(cells[column]);
    const href = hrefTo('findings', [], { client: String(cells['Client']), severity });
    return (
      count > 0 && (
        <a href={href} class={`severity ${severity}`}>
          {formatNumber(count)}
        </a>
      )
    );
  };

const views: CellViews = {
  Errors: findingsView('Errors', 'error'),
  Warnings: findingsView('Warnings', 'warning'),
  Notes: findingsView('Notes', 'note'),
};
