import { useEffect, useRef } from 'preact/hooks';
import { DAY_MS } from '../../../cli/time.ts';
import { grouped } from '../../../cli/words.ts';
import { formatTime } from '../format.ts';
import { hrefTo, type Route } from '../route.ts';
import { isFrozen, isReadOnly } from '../source.ts';

export type Link = { name: string; title: string; count?: number };

type Props = { what: string; links: readonly Link[]; route: Route; onSkip: () => void };

/** Is in sight on every page. On a phone, its links scroll sideways. */
export const TopBar = ({ what, links, route, onSkip }: Props) => {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [route.page]);
  return (
    <header class="top">
      <div class="strip">
        <button type="button" class="skip primary" onClick={onSkip}>
          Skip to the content
        </button>
        <a class="what" href={hrefTo('overview')} title={what}>
          {what}
        </a>
        <nav aria-label="Pages" ref={nav}>
          {links.map(({ name, title, count }) => (
            <a key={name} href={hrefTo(name)} aria-current={name === route.page ? 'page' : undefined}>
              {title}
              {count !== undefined && <span class="mark badge">{grouped(count)}</span>}
            </a>
          ))}
        </nav>
        {isReadOnly && !isFrozen && <span class="mark">Read-only</span>}
        {!isFrozen && <AsOf route={route} />}
      </div>
      {route.query.has('at') && <Past route={route} />}
    </header>
  );
};

/** The same page at another time. An empty text is now. */
const hrefAt = ({ page, parts, query }: Route, at: string) =>
  hrefTo(page, parts, { ...Object.fromEntries(query), at });

const toIso = (time: Date) => time.toISOString().replace(/\.\d+/, '');
const timeOf = ({ query }: Route) => Date.parse(query.get('at') ?? '') || Date.now();

const Past = ({ route }: { route: Route }) => (
  <p class="past">
    <span>
      You see the stock as of <strong>{formatTime(timeOf(route))}</strong>, not the latest.
    </span>
    <a href={hrefAt(route, '')}>Back to now</a>
  </p>
);

const AsOf = ({ route }: { route: Route }) => {
  const panel = useRef<HTMLFormElement>(null);
  const close = () => panel.current?.hidePopover();
  const time = timeOf(route);
  return (
    <>
      <button type="button" class="as-of" popovertarget="as-of">
        As of <strong>{route.query.has('at') ? formatTime(time) : 'now'}</strong>
      </button>
      <form
        id="as-of"
        popover="auto"
        ref={panel}
        aria-label="As of"
        onSubmit={(event) => {
          event.preventDefault();
          const chosen = new FormData(event.currentTarget).get('time');
          location.hash = hrefAt(route, toIso(new Date(String(chosen))));
          close();
        }}
      >
        <label>
          <span class="soft small">Date and time, by the clock of this browser</span>
          <input
            key={time}
            type="datetime-local"
            name="time"
            required
            defaultValue={formatTime(time).replace(' ', 'T')}
            max={formatTime(Date.now()).replace(' ', 'T')}
          />
        </label>
        <button type="submit" class="primary">
          Show the stock of that time
        </button>
        <p class="flow small">
          {[1, 7].map((days) => (
            <a key={days} href={hrefAt(route, toIso(new Date(Date.now() - days * DAY_MS)))} onClick={close}>
              {days === 1 ? 'A day ago' : 'A week ago'}
            </a>
          ))}
          <a href={hrefAt(route, '')} onClick={close}>
            Now
          </a>
        </p>
      </form>
    </>
  );
};
