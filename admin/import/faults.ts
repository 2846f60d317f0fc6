import { MAX_LISTED_FAULTS } from '../../shared/schemas/limits.ts';
import { Failure } from '../cli/failure.ts';
import { visible } from '../cli/text-table.ts';
import { counted } from '../cli/words.ts';

export type Faults = ReturnType<typeof collectFaults>;

/**
 * A place in a file. In JSON, where one line may hold everything, `entry` counts the rows. `edited` is the row that an
 * admin edits in the console, where there is no file.
 */
export type Place = { line: number; entry?: number; unit?: 'row'; edited?: string };

export const formatPlace = ({ line, entry, unit, edited }: Place) => {
  if (edited !== undefined) return quote(edited);
  return entry === undefined ? `${unit ?? 'line'} ${line}` : `entry ${entry}`;
};

export const OTHER_LIST = 'this is a file of the other list';

/** Nobody corrects so many one by one: this is the wrong file. */
const HOPELESS = 100_000;

/** Collects everything that is wrong with a file, so that it can be corrected in one go. */
export const collectFaults = (what = 'The file is') => {
  const listed: string[] = [];
  let count = 0;

  const throwIfAny = () => {
    if (count === 0) return;
    const rest = count - listed.length;
    const lines = [
      `${what} refused for ${counted(count, 'fault')}; nothing was written.`,
      ...listed,
      ...(rest > 0 ? [`and ${counted(rest, 'fault')} more`] : []),
      ...(count === HOPELESS ? ['What follows was not looked at.'] : []),
    ];
    throw new Failure(lines.join('\n'));
  };

  return {
    /** Throws when there are too many to go on. */
    add: (place: Place, detail: string) => {
      count += 1;
      const line = place.entry === undefined ? '' : `line ${place.line}: `;
      if (listed.length < MAX_LISTED_FAULTS) listed.push(`${line}${formatPlace(place)}: ${detail}`);
      if (count === HOPELESS) throwIfAny();
    },
    throwIfAny,
  };
};

const MOST_SHOWN = 80;

/** Quotes a piece of a file within a sentence. */
export const quote = (text: string) =>
  `"${visible(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)}"`;
