import type { Arrivals } from '../../../api.ts';
import { Waiting } from '../../components/controls.tsx';
import { countOf, formatDay, formatNumber } from '../../format.ts';
import { hrefTo } from '../../route.ts';
import { pathTo } from '../../source.ts';
import { useStock, useStockResponse } from '../../use-stock.ts';

const DAYS = 31;
/** Nobody looks at more rows, and the browser would draw them slowly. */
const MAX_ROWS = 50;

/** The midnights of the last month, by the clock of the browser. Some days have 23 or 25 hours. */
const dayStarts = (asOf: number) => {
  const last = new Date(asOf);
  return Array.from({ length: DAYS }, (_, day) =>
    new Date(last.getFullYear(), last.getMonth(), last.getDate() + day - DAYS + 1).getTime(),
  );
};

type Day = { count: number; isUsual: boolean; words: string };

const median = (counts: readonly number[]) => {
  const sorted = counts.toSorted((one, other) => one - other);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};

/** About half to twice as many. One batch may have crossed midnight. */
const isUsualCount = (count: number, usual: number) =>
  count === 0 ? usual < 1 : count + 1 >= usual / 2 && count - 1 <= usual * 2;

/** Compares a day with the same weekday. A day that is not known as a whole is as usual. */
const daysOf = (row: Arrivals[number], starts: readonly number[], knownSince: number): Day[] => {
  const weekday = (index: number) => new Date(starts[index] ?? 0).getDay();
  const isWhole = (index: number) =>
    index < DAYS - 1 && (starts[index] ?? 0) >= Math.max(knownSince, row.since);
  return row.batches.map((count, index) => {
    const same = row.batches.filter((_, other) => isWhole(other) && weekday(other) === weekday(index));
    const usual = median(same);
    const counts = `${countOf(count, 'batch', 'batches')}, ${countOf(row.changes[index] ?? 0, 'change')}`;
    return {
      count,
      isUsual: !isWhole(index) || isUsualCount(count, usual),
      words: `${row.client}, ${formatDay(starts[index] ?? 0)}: ${counts}${isWhole(index) ? '' : ', not the whole day'}`,
    };
  });
};

/** Each day of one warehouse, or of all warehouses the days that are not as usual. */
export const ArrivalsTable = ({ at, client }: { at: string | null; client?: string }) => {
  const { asOf, knownSince, nameOf } = useStock();
  const starts = dayStarts(asOf);
  const path = pathTo(['arrivals'], { at, starts: starts.join() });
  const { response, ...state } = useStockResponse<Arrivals>(path);
  if (!response) return <Waiting response={response} {...state} />;
  const all = response.map((row) => ({
    client: row.client,
    days: daysOf(row, starts, knownSince ?? asOf),
  }));
  const isShown = (row: (typeof all)[number]) =>
    client === undefined ? row.days.some(({ isUsual }) => !isUsual) : row.client === client;
  const rows = all.filter(isShown);
  if (client !== undefined && rows.length === 0) return null;
  // A narrow screen has room only for the days of which a row shows something.
  const isNarrowed = (day: number) => client === undefined && rows.every(({ days }) => days[day]?.isUsual);
  const classOf = (day: number) => (isNarrowed(day) ? 'usual' : '');
  const most = Math.max(1, ...rows.flatMap(({ days }) => days.map(({ count }) => count)));
  return (
    <>
      <h2 id="arrivals">{client === undefined ? 'Days that are not as usual' : 'Batches by day'}</h2>
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard.
        <section class="scroll arrivals" tabIndex={0} aria-labelledby="arrivals">
          <table>
            <thead>
              <tr>
                <td />
                {starts.map(formatDay).map((day, index) => (
                  <th key={day} class={classOf(index)} scope="col" title={day}>
                    <span class="hidden">{day.slice(0, -2)}</span>
                    {day.slice(-2)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MAX_ROWS).map(({ client: name, days }) => (
                <tr key={name}>
                  <th scope="row">
                    {client === undefined ? (
                      <a href={hrefTo('batches', [name])}>{nameOf(name)}</a>
                    ) : (
                      nameOf(name)
                    )}
                  </th>
                  {days.map((day, index) => (
                    <DayCell
                      key={day.words}
                      {...day}
                      className={classOf(index)}
                      most={most}
                      isFaint={client === undefined}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p class="soft small">
        The last {countOf(DAYS, 'day')}, each compared with the same weekday: no batch (hatched), fewer than
        about half of the usual batches, or more than about twice as many.
        {rows.length > MAX_ROWS && ` These are ${MAX_ROWS} of ${countOf(rows.length, 'warehouse')}.`}
        {client === undefined &&
          ` ${countOf(all.length - rows.length, 'warehouse has', 'warehouses have')} no such day.`}
      </p>
    </>
  );
};

type CellProps = Day & { className: string; most: number; isFaint: boolean };

/** More batches give a stronger colour. A faint day shows nothing if it is as usual. */
const DayCell = ({ count, isUsual, words, className, most, isFaint }: CellProps) => {
  const isEmpty = isFaint && isUsual;
  const percent = isEmpty || count === 0 ? 0 : Math.round(20 + 80 * Math.sqrt(count / most));
  return (
    <td
      class={count === 0 && !isUsual ? 'no-batch' : className}
      style={{ backgroundColor: `color-mix(in srgb, var(--heat) ${percent}%, var(--surface))` }}
      title={words}
    >
      <span class={isEmpty || count === 0 ? 'hidden' : ''}>{formatNumber(count)}</span>
    </td>
  );
};
