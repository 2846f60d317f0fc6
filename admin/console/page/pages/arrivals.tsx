import type { Arrivals } from '../../api.ts';
import { Waiting } from '../components/controls.tsx';
import { countOf, formatDay, formatNumber } from '../format.ts';
import { pathTo } from '../source.ts';
import { useStock, useStockResponse } from '../use-stock.ts';

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

/** A row for each warehouse and a cell for each day. More batches give a stronger colour. */
export const ArrivalsTable = ({ at }: { at: string | null }) => {
  const { asOf, knownSince } = useStock();
  const starts = dayStarts(asOf);
  const path = pathTo(['arrivals'], { at, starts: starts.join() });
  const { response, ...state } = useStockResponse<Arrivals>(path);
  if (!response) return <Waiting response={response} {...state} />;
  const rows = response.rows.slice(0, MAX_ROWS);
  const most = Math.max(1, ...rows.flatMap(({ batches }) => batches));
  const days = starts.map((start, index) => {
    const isWhole = index < DAYS - 1 && start >= (knownSince ?? asOf);
    return { index, name: formatDay(start), isWhole, note: isWhole ? '' : ', not the whole day' };
  });
  return (
    <>
      <h2 id="arrivals">Batches by day</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard. */}
      <section class="scroll arrivals" tabIndex={0} aria-labelledby="arrivals">
        <table>
          <thead>
            <tr>
              <td />
              {days.map(({ name }) => (
                <th key={name} scope="col" title={name}>
                  <span class="hidden">{name.slice(0, -2)}</span>
                  {name.slice(-2)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ client, batches, changes }) => (
              <tr key={client}>
                <th scope="row">{client}</th>
                {days.map(({ index, name, isWhole, note }) => {
                  const count = batches[index] ?? 0;
                  const counts = `${countOf(count, 'batch', 'batches')}, ${countOf(changes[index] ?? 0, 'change')}`;
                  const percent = count && Math.round(20 + 80 * Math.sqrt(count / most));
                  return (
                    <td
                      key={name}
                      class={count === 0 && isWhole ? 'no-batch' : ''}
                      style={{
                        backgroundColor: `color-mix(in srgb, var(--heat) ${percent}%, var(--surface))`,
                      }}
                      title={`${client}, ${name}: ${counts}${note}`}
                    >
                      <span class={count === 0 ? 'hidden' : ''}>{formatNumber(count)}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="soft small">
        The last {countOf(DAYS, 'day')}. Hatched: no batch on that day.
        {response.rows.length > MAX_ROWS &&
          ` These are ${MAX_ROWS} of ${countOf(response.rows.length, 'warehouse')}.`}
      </p>
    </>
  );
};
