import { useMemo } from 'preact/hooks';
import { DAY_MS } from '../../../cli/time.ts';
import { counted, grouped } from '../../../cli/words.ts';
import {
  type Arrivals,
  arrivalsOf,
  countSeverities,
  type Day,
  daysOf,
  rankWarehouses,
  type SeverityCounts,
  severities,
  type Warehouse,
} from '../activity.ts';
import type { PageProps } from '../app.tsx';
import { arrivalsChart, arrivalsHeight } from '../charts/arrivals-chart.ts';
import { Chart } from '../components/chart.tsx';
import { Age, Chip, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import type { Model } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';

type Data = Model['data'];

export const OverviewPage = ({ model: { data }, route }: PageProps) => {
  const warehouses = rankWarehouses(data);
  return (
    <>
      <Figures data={data} warehouses={warehouses} />
      {data.clients.length === 0 && <p>This deployment has no clients.</p>}
      <h2 class="hidden">Warehouses</h2>
      <ul class={warehouses.length > MANY ? 'tiles many' : 'tiles'}>
        {warehouses.map((warehouse) => (
          <Tile key={warehouse.client} warehouse={warehouse} data={data} />
        ))}
      </ul>
      {data.clients.length > 0 && (
        <ArrivalsCard data={data} what={route.query.get('show') === 'changes' ? 'changes' : 'batches'} />
      )}
    </>
  );
};

/** So many tiles are drawn smaller. */
const MANY = 8;

const periodOf = ({ since, asOf }: Data) => counted(Math.round((asOf - since) / DAY_MS), 'day');

const Figures = ({ data, warehouses }: { data: Data; warehouses: readonly Warehouse[] }) => {
  const late = warehouses.filter(({ isLate }) => isLate);
  const [firstLate] = late;
  const counts = countSeverities(data.findings);
  const figures = [
    {
      count: data.clients.length,
      title: data.clients.length === 1 ? 'warehouse' : 'warehouses',
      href: hrefTo('batches'),
    },
    {
      count: late.length,
      title: 'late',
      href: firstLate && late.length === 1 ? hrefTo('batches', [firstLate.client]) : hrefTo('batches'),
      isBad: late.length > 0,
    },
    { count: data.snapshots.at.length, title: `batches, ${periodOf(data)}`, href: hrefTo('batches') },
    { count: data.materials.code.length, title: 'materials', href: hrefTo('materials') },
    {
      count: data.findings.length,
      title: `findings${counts.error ? `, ${counted(counts.error, 'error')}` : ''}`,
      href: hrefTo('findings'),
      isBad: counts.error > 0,
    },
  ];
  return (
    <ul class="figures">
      {figures.map(({ count, title, href, isBad }) => (
        <li key={title}>
          <a href={href} class={isBad ? 'bad' : ''}>
            <strong>{grouped(count)}</strong> {title}
          </a>
        </li>
      ))}
    </ul>
  );
};

const Tile = ({ warehouse, data }: { warehouse: Warehouse; data: Data }) => {
  const { client, lastAt, isLate, entries, previousEntries, changeCount, newChangeCount, findings } =
    warehouse;
  return (
    <li class={`tile ${isLate ? 'late' : ''}`}>
      <h3>
        <a href={hrefTo('batches', [client])}>{client}</a>
        <Punctuality warehouse={warehouse} />
      </h3>
      {lastAt === null ? (
        <p class="last">No batch yet</p>
      ) : (
        <p class="last">
          <strong>
            <Age at={lastAt} now={data.asOf} />
          </strong>
          <span class="soft small">
            last batch <When at={lastAt} />
          </span>
        </p>
      )}
      <dl>
        <dt>Entries</dt>
        <dd class="number">{entries === undefined ? '–' : grouped(entries)}</dd>
        <dd>
          <Trend entries={entries} previous={previousEntries} />
        </dd>
        <dt class="extra">Changes</dt>
        <dd class="extra number">{grouped(changeCount)}</dd>
        <dd class="extra soft">{grouped(newChangeCount)} since yesterday</dd>
        <dt>Findings</dt>
        <dd class="links">
          <FindingsLink client={client} counts={findings} />
        </dd>
      </dl>
    </li>
  );
};

const Punctuality = ({ warehouse: { isLate, silenceHours } }: { warehouse: Warehouse }) => {
  if (!silenceHours) return <span class="mark">No time limit</span>;
  const title = `A batch is expected every ${counted(silenceHours, 'hour')}.`;
  return (
    <span class={isLate ? 'mark severity error' : 'mark fine'} title={title}>
      {isLate ? 'Late' : 'On time'}
    </span>
  );
};

/** A smaller difference is shown as a number of entries. */
const NOTABLE_PERCENT = 10;
const BAD_PERCENT = 50;

const Trend = ({ entries, previous }: { entries: number | undefined; previous: number | undefined }) => {
  if (entries === undefined) return <span class="soft">none in this period</span>;
  if (previous === undefined) return <span class="soft">the first batch</span>;
  const by = entries - previous;
  if (by === 0) return <span class="soft">as before</span>;
  const percent = Math.round((Math.abs(by) / Math.max(1, previous)) * 100);
  return (
    <span class={by < 0 && percent > BAD_PERCENT ? 'below' : 'soft'}>
      {percent >= NOTABLE_PERCENT ? `${percent} %` : grouped(Math.abs(by))} {by < 0 ? 'fewer' : 'more'}
    </span>
  );
};

const FindingsLink = ({ client, counts }: { client: string; counts: SeverityCounts }) => {
  const parts = severities.filter((severity) => counts[severity] > 0);
  if (parts.length === 0) return <span class="soft">none</span>;
  return (
    <a href={hrefTo('findings', [], { warehouse: client })}>
      {parts.map((severity) => (
        <span key={severity} class={`severity ${severity}`}>
          {counted(counts[severity], severity)}
        </span>
      ))}
    </a>
  );
};

type ArrivalsProps = { data: Data; what: 'batches' | 'changes' };

const ArrivalsCard = ({ data, what }: ArrivalsProps) => {
  const days = daysOf(data);
  const arrivals = useMemo(() => arrivalsOf(data, what), [data, data.asOf, what]);
  const draw = useMemo(
    () =>
      arrivalsChart({ arrivals, days, clients: data.clients, unit: what === 'batches' ? 'batch' : 'change' }),
    [arrivals],
  );
  return (
    <section class="card arrivals">
      <div class="flow bar">
        <h2>Arrivals by day</h2>
        <fieldset class="chips">
          <legend class="hidden">What to count</legend>
          <Chip isPressed={what === 'batches'} onClick={() => replaceQuery({ show: undefined })}>
            Batches
          </Chip>
          <Chip isPressed={what === 'changes'} onClick={() => replaceQuery({ show: 'changes' })}>
            Changes
          </Chip>
        </fieldset>
      </div>
      <Chart
        label={`${what === 'batches' ? 'Batches' : 'Changes'} by warehouse and day. ${describeSilence(data, arrivals)} The table below has the numbers.`}
        height={arrivalsHeight(data.clients.length)}
        draw={draw}
      />
      <p class="legend soft small">
        <span>
          <span class="swatch silent" /> nothing on that day
        </span>
        <span>
          <span class="swatch partial" /> nothing yet, or a day that the period covers in part
        </span>
      </p>
      <details>
        <summary>The same as a table</summary>
        <ArrivalsTable clients={data.clients} days={days} arrivals={arrivals} />
      </details>
    </section>
  );
};

const describeSilence = ({ clients }: Data, arrivals: readonly Arrivals[]) => {
  const silent = clients.flatMap((client) => {
    const days = arrivals.filter((item) => item.client === client && item.state === 'silent').length;
    return days > 0 ? [`${client} was silent on ${counted(days, 'whole day')}`] : [];
  });
  return silent.length > 0 ? `${silent.join(', ')}.` : 'No warehouse was silent for a whole day.';
};

type TableProps = { clients: readonly string[]; days: readonly Day[]; arrivals: readonly Arrivals[] };

const ArrivalsTable = ({ clients, days, arrivals }: TableProps) => {
  const columns: Column<number>[] = [
    { title: 'Day', kind: 'head', cell: (index) => days[index]?.label },
    ...clients.map(
      (client, position): Column<number> => ({
        title: client,
        kind: 'number',
        cell: (index) => {
          const { count = 0, state } = arrivals[position * days.length + index] ?? {};
          return state === 'unknown' ? 'not read' : grouped(count);
        },
      }),
    ),
  ];
  const rows = days.map((_, index) => index).reverse();
  return <DataTable caption="Arrivals by day and warehouse" columns={columns} rows={rows} />;
};
