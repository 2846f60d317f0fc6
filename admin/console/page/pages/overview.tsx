import { useMemo } from 'preact/hooks';
import { DAY_MS } from '../../../../shared/time.ts';
import { severityOf } from '../../../check/finding.ts';
import { counted, grouped } from '../../../cli/words.ts';
import { type Arrivals, arrivalsOf, rankWarehouses, severities, type Warehouse } from '../activity.ts';
import type { PageProps } from '../app.tsx';
import { Age, When } from '../components/controls.tsx';
import { formatTime } from '../format.ts';
import type { Model } from '../model.ts';
import { hrefTo } from '../route.ts';

type Data = Model['data'];

export const OverviewPage = ({ model: { data } }: PageProps) => {
  const warehouses = useMemo(() => rankWarehouses(data), [data]);
  if (warehouses.length === 0) return <p>There are no clients. Add one on the page Clients.</p>;
  return (
    <>
      <Figures data={data} late={warehouses.filter(({ isLate }) => isLate).length} />
      <h2 class="hidden">Warehouses</h2>
      <ul class="tiles">
        {warehouses.map((warehouse) => (
          <Tile key={warehouse.client} warehouse={warehouse} now={data.asOf} />
        ))}
      </ul>
      <ArrivalsTable data={data} />
    </>
  );
};

const Figures = ({ data, late }: { data: Data; late: number }) => {
  const { clients, snapshots, materials, findings, since, asOf } = data;
  const error = findings.filter(({ kind }) => severityOf(kind) === 'error').length;
  const days = counted(Math.round((asOf - since) / DAY_MS), 'day');
  const figures = [
    { page: 'batches', count: late, title: `of ${counted(clients.length, 'warehouse')} late`, bad: late },
    { page: 'batches', count: snapshots.at.length, title: `batches in ${days}` },
    { page: 'materials', count: materials.code.length, title: 'materials' },
    { page: 'findings', count: findings.length, title: `findings, ${counted(error, 'error')}`, bad: error },
  ];
  return (
    <ul class="figures small">
      {figures.map(({ page, count, title, bad }) => (
        <li key={title}>
          <a href={hrefTo(page)} class={bad ? 'bad' : ''}>
            <strong>{grouped(count)}</strong> {title}
          </a>
        </li>
      ))}
    </ul>
  );
};

type TileProps = { warehouse: Warehouse; now: number };

const Tile = ({ warehouse, now }: TileProps) => {
  const { client, lastAt, isLate, lateFrom, changeCount, lastChangeAt } = warehouse;
  return (
    <li class={`tile ${isLate ? 'late' : ''}`}>
      <h3 class="flow bar">
        <a href={hrefTo('batches', [client])}>{client}</a>
        {lateFrom !== null && (
          <span
            class={isLate ? 'mark severity error' : 'mark fine'}
            title={`A batch is expected before ${formatTime(lateFrom)}.`}
          >
            {isLate ? 'Late' : 'On time'}
          </span>
        )}
      </h3>
      {lastAt === null ? (
        <p>No batch yet</p>
      ) : (
        <p class="soft small">
          <Age at={lastAt} now={now} /> last batch <When at={lastAt} />
        </p>
      )}
      <Entries warehouse={warehouse} />
      <p class="small">
        {counted(changeCount, 'change')}, last: {lastChangeAt === null ? 'none' : <When at={lastChangeAt} />}
      </p>
      <FindingLinks warehouse={warehouse} />
    </li>
  );
};

/** The entries of the last batch, compared with the previous batch. */
const Entries = ({ warehouse: { entries, previousEntries } }: Pick<TileProps, 'warehouse'>) => {
  if (entries === undefined) return <p class="soft small">No entries in this period</p>;
  const by = entries - (previousEntries ?? 0);
  const trend = by === 0 ? 'unchanged' : `${grouped(Math.abs(by))} ${by < 0 ? 'fewer' : 'more'}`;
  return (
    <p class="small">
      {counted(entries, 'entry', 'entries')}{' '}
      <span class={-by > entries ? 'below' : 'soft'}>{previousEntries === undefined ? '' : trend}</span>
    </p>
  );
};

const FindingLinks = ({ warehouse: { client, findings } }: Pick<TileProps, 'warehouse'>) => {
  const found = severities.filter((severity) => findings[severity] > 0);
  const href = hrefTo('findings', [], { warehouse: client });
  return (
    <p class="flow small">
      {found.length === 0 && <span class="soft">No findings</span>}
      {found.map((severity) => (
        <a key={severity} href={href} class={`severity ${severity}`}>
          {counted(findings[severity], severity)}
        </a>
      ))}
    </p>
  );
};

/** A row for each warehouse and a cell for each day, whose colour is stronger the more batches came. */
const ArrivalsTable = ({ data }: { data: Data }) => {
  const rows = useMemo(() => arrivalsOf(data), [data]);
  const days = rows[0]?.days ?? [];
  const most = Math.max(...rows.flatMap((row) => row.days.map(({ batches }) => batches)));
  return (
    <>
      <h2 id="arrivals">Batches by day</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard. */}
      <section class="scroll arrivals" tabIndex={0} aria-labelledby="arrivals">
        <table>
          <thead>
            <tr>
              <td />
              {days.map(({ day }) => (
                <th key={day} scope="col" title={day}>
                  <span class="hidden">{day.slice(0, -2)}</span>
                  {day.slice(-2)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ client, days }) => (
              <tr key={client}>
                <th scope="row">{client}</th>
                {days.map((arrivals) => (
                  <Cell key={arrivals.day} client={client} arrivals={arrivals} most={most} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="soft small">The last {counted(days.length, 'day')}. Hatched: no batch on that day.</p>
    </>
  );
};

type CellProps = { client: string; arrivals: Arrivals; most: number };

const Cell = ({ client, arrivals: { day, isWhole, batches, changes }, most }: CellProps) => {
  const counts = `${counted(batches, 'batch', 'batches')}, ${counted(changes, 'change')}`;
  const percent = batches && Math.round(20 + 80 * Math.sqrt(batches / most));
  return (
    <td
      class={batches === 0 && isWhole ? 'silent' : ''}
      style={{ backgroundColor: `color-mix(in srgb, var(--heat) ${percent}%, var(--surface))` }}
      title={`${client}, ${day}: ${counts}${isWhole ? '' : ' in the part of the day within the period'}`}
    >
      <span class={batches === 0 ? 'hidden' : ''}>{grouped(batches)}</span>
    </td>
  );
};
