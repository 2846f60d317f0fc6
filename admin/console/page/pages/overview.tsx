import type { ComponentChildren } from 'preact';
import { DAY_MS } from '../../../../shared/time.ts';
import type { Overview } from '../../api.ts';
import type { Views } from '../components/cells.tsx';
import { Age, Waiting, When } from '../components/controls.tsx';
import { Download } from '../components/download.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { counted, formatNumber, formatTime } from '../format.ts';
import { hrefTo, type PageProps, pick } from '../route.ts';
import { pathTo } from '../source.ts';
import { type Cells, useFirstRows, useStock, useStockResponse } from '../use-stock.ts';
import { ArrivalsTable } from './arrivals.tsx';

export const OverviewPage = ({ route: { parts, query } }: PageProps) => {
  const at = query.get('at');
  if (parts[0] === 'warehouses') return <AllWarehouses query={query} />;
  return (
    <>
      <Figures at={at} />
      <Tiles at={at} />
      <ArrivalsTable at={at} />
      <Download what="all of it as a report" path={['report']} query={{ at }} formats={{ xlsx: 'XLSX' }} />
    </>
  );
};

const Figures = ({ at }: { at: string | null }) => {
  const { asOf } = useStock();
  const { response, ...state } = useStockResponse<Overview>(pathTo(['overview'], { at }));
  if (!response) return <Waiting response={response} {...state} />;
  const { warehouses, late, batches, materials, findings } = response;
  const since = new Date(asOf - 30 * DAY_MS).toISOString();
  const found = findings.error + findings.warning + findings.note;
  const lateHref = hrefTo('overview', ['warehouses'], { late: late > 0 ? 'true' : undefined });
  return (
    <ul class="figures small">
      <Figure href={lateHref} count={late} isBad={late > 0}>
        of {counted(warehouses, 'warehouse')} late
      </Figure>
      <Figure href={hrefTo('batches', [], { since })} count={batches}>
        batches in 30 days
      </Figure>
      <Figure href={hrefTo('materials')} count={materials}>
        materials
      </Figure>
      <Figure href={hrefTo('findings')} count={found} isBad={findings.error > 0}>
        findings, {counted(findings.error, 'error')}
      </Figure>
    </ul>
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

/** More tiles would hide the arrivals. */
const TILES = 12;

const Tiles = ({ at }: { at: string | null }) => {
  const { rows, hasMore, ...state } = useFirstRows('warehouses', { at, limit: String(TILES) });
  if (!rows) return <Waiting response={rows} {...state} />;
  if (rows.length === 0) return <p>There are no clients. Add one on the page Clients.</p>;
  return (
    <>
      <h2 class="hidden">Warehouses</h2>
      <ul class="tiles">
        {rows.map((cells) => (
          <Tile key={cells('Client')} cells={cells} />
        ))}
      </ul>
      <p>
        <a href={hrefTo('overview', ['warehouses'])}>
          {hasMore ? 'All warehouses as a table. Here are those that need attention.' : 'As a table'}
        </a>
      </p>
    </>
  );
};

const findingColumns = { error: 'Errors', warning: 'Warnings', note: 'Notes' } as const;
type Severity = keyof typeof findingColumns;

const Tile = ({ cells }: { cells: Cells }) => {
  const [client, isLate, lateFrom] = [String(cells('Client')), cells('State') === 'late', cells('LateFrom')];
  const [batchAt, changeAt] = [cells('LastBatchAt'), cells('LastChangeAt')];
  const found = (['error', 'warning', 'note'] as const).filter(
    (severity) => Number(cells(findingColumns[severity])) > 0,
  );
  return (
    <li class={`tile ${isLate ? 'late' : ''}`}>
      <h3 class="flow bar">
        <a href={hrefTo('batches', [client])}>{client}</a>
        {lateFrom !== null && (
          <span
            class={isLate ? 'mark severity error' : 'mark fine'}
            title={`A batch is expected before ${formatTime(Number(lateFrom))}.`}
          >
            {isLate ? 'Late' : 'On time'}
          </span>
        )}
      </h3>
      {batchAt === null ? (
        <p>No batch yet</p>
      ) : (
        <>
          <p class="soft small">
            <Age at={Number(batchAt)} /> last batch <When at={Number(batchAt)} />
          </p>
          <Entries cells={cells} />
        </>
      )}
      <p class="small">
        {counted(Number(cells('Changes')), 'change')}, last:{' '}
        {changeAt === null ? 'none' : <When at={Number(changeAt)} />}
      </p>
      <p class="flow small">
        {found.length === 0 && <span class="soft">No findings</span>}
        {found.map((severity) => findingLink(cells, severity))}
      </p>
    </li>
  );
};

/** The entries of the last batch, compared with the previous batch. */
const Entries = ({ cells }: { cells: Cells }) => {
  const [entries, difference] = [Number(cells('EntryCount')), cells('Difference')];
  const by = Number(difference);
  const trend = by === 0 ? 'unchanged' : `${formatNumber(Math.abs(by))} ${by < 0 ? 'fewer' : 'more'}`;
  return (
    <p class="small">
      {counted(entries, 'entry', 'entries')}{' '}
      <span class={-by > entries ? 'below' : 'soft'}>{difference === null ? '' : trend}</span>
    </p>
  );
};

const findingLink = (cells: Cells, severity: Severity) => (
  <a
    key={severity}
    href={hrefTo('findings', [], { client: String(cells('Client')), severity })}
    class={`severity ${severity}`}
  >
    {counted(Number(cells(findingColumns[severity])), severity)}
  </a>
);

const AllWarehouses = ({ query }: { query: URLSearchParams }) => (
  <StockTable
    table="warehouses"
    query={pick(query, ['at', 'search', 'late'])}
    address={query}
    caption="Warehouses"
    noun={['warehouse', 'warehouses']}
    usual="State"
    viewOf={({ name }) => views[name]}
  />
);

const views: Views = {
  State: (cells) => <span class={cells('State') === 'late' ? 'severity error' : ''}>{cells('State')}</span>,
  Errors: (cells) => findingLink(cells, 'error'),
  Warnings: (cells) => findingLink(cells, 'warning'),
  Notes: (cells) => findingLink(cells, 'note'),
};
