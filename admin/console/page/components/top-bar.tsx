import { formatTime } from '../format.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { isReadOnly } from '../source.ts';

type Link = { name: string; title: string };
type Props = {
  what: string;
  links: readonly Link[];
  shown: string;
  /** Undefined on a page that shows nothing of an earlier moment. */
  at: string | null | undefined;
  onSkip: () => void;
};

export const TopBar = ({ what, links, shown, at, onSkip }: Props) => (
  <header class="top">
    <div class="strip">
      <button type="button" class="skip primary" onClick={onSkip}>
        Skip to the content
      </button>
      <a class="what" href={hrefTo('overview')} title={what}>
        {what}
      </a>
      <nav aria-label="Pages">
        {links.map(({ name, title }) => (
          <a key={name} href={hrefTo(name)} aria-current={name === shown ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {isReadOnly && <span class="mark">Read-only</span>}
      {at !== undefined && <AsOf key={at} time={timeOf(at)} />}
    </div>
    {at && (
      <p class="notice">
        This is the stock as of <strong>{formatTime(timeOf(at))}</strong>, not the latest stock. The lists are
        those of now, because their history is not kept.{' '}
        <button type="button" class="plain" onClick={() => replaceQuery({ at: undefined })}>
          Show the latest stock
        </button>
      </p>
    )}
  </header>
);

const timeOf = (at: string | null) => Date.parse(at ?? '') || Date.now();

/** A time as an input has it. */
const toInput = (time: number) => formatTime(time).replace(' ', 'T');

const AsOf = ({ time }: { time: number }) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      const chosen = String(new FormData(event.currentTarget).get('time'));
      replaceQuery({ at: new Date(chosen).toISOString().replace(/\.\d+/, '') });
    }}
  >
    <label>
      <span class="soft">As of </span>
      <input
        type="datetime-local"
        name="time"
        required
        defaultValue={toInput(time)}
        max={toInput(Date.now())}
      />
    </label>
    <button type="submit">Go</button>
  </form>
);
