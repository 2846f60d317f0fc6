import { formatDay, formatTime } from '../format.ts';
import { changeAddress, hrefTo } from '../route.ts';
import { isReadOnly } from '../source.ts';

type Link = { name: string; title: string };
type Props = {
  deploymentName: string;
  links: readonly Link[];
  page: string;
  /** The moment in the address. Undefined on a page that shows only the latest stock. */
  at: string | null | undefined;
  onSkip: () => void;
};

export const TopBar = ({ deploymentName, links, page, at, onSkip }: Props) => {
  return (
    <header class="top">
      <div class="strip">
        <button type="button" class="skip primary" onClick={onSkip}>
          Skip to the content
        </button>
        <a class="deployment" href={hrefTo('overview')} title={deploymentName}>
          {deploymentName}
        </a>
        <nav aria-label="Pages">
          {links.map(({ name, title }) => (
            <a key={name} href={hrefTo(name)} aria-current={name === page ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        {isReadOnly && <span class="mark">Read-only</span>}
        {at !== undefined && <MomentForm time={timeOf(at)} />}
      </div>
      {at && (
        <p class="notice">
          {isFuture(timeOf(at)) ? (
            `${formatTime(timeOf(at))} is in the future, so there is no stock of it.`
          ) : (
            <>
              This is the stock as of <strong>{formatTime(timeOf(at))}</strong>, not the latest stock.
            </>
          )}{' '}
          <button type="button" class="plain" onClick={() => changeAddress({ at: undefined })}>
            Show the latest stock
          </button>
        </p>
      )}
    </header>
  );
};

const isFuture = (time: number) => time > Date.now();

const timeOf = (at: string | null) => Date.parse(at ?? '') || Date.now();

/** `2026-03-31T09:30`. */
export const toInput = (time: number) => formatTime(time).replace(' ', 'T');

/** The time in an input in the form of the address. Undefined if the input is empty. */
export const timeOfInput = (value: FormDataEntryValue | null) =>
  value ? new Date(String(value)).toISOString().replace(/\.\d+/, '') : undefined;

const MomentForm = ({ time }: { time: number }) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      changeAddress({ at: timeOfInput(new FormData(event.currentTarget).get('time')) });
      // An input that was typed in shows the moment of the address again only after a reset.
      event.currentTarget.reset();
    }}
  >
    <label>
      <span class="soft">As of </span>
      <input
        type="datetime-local"
        name="time"
        required
        defaultValue={toInput(time)}
        // With another maximum, Chromium clears a time that is typed in part. So the maximum changes only at midnight.
        max={`${formatDay(Date.now())}T23:59`}
      />
    </label>
    <button type="submit">Go</button>
  </form>
);
