import { MAX_LISTED_FAULTS } from '../../shared/schemas/limits.ts';
import { Failure } from '../cli/failure.ts';
import { visible } from '../cli/text-table.ts';
import { counted } from '../cli/words.ts';

export type Faults = ReturnType<typeof collectFaults>;

/**
 * A place in a file. `entry` counts the rows of JSON, where everything may be on one line. `edited` is the row that an
 * admin edits in the console without a file.
 */
export type Place = { line: number; entry?: number; unit?: 'row'; edited?: string };

export const formatPlace = ({ line, entry, unit, edited }: Place) => {
  if (edited !== undefined) return quote(edited);
  return entry === undefined ? `${unit ?? 'line'} ${line}` : `entry ${entry}`;
};

export const OTHER_LIST = 'this is a file of the other list';

/** A file with this many faults is probably the wrong file. */
const MAX_FAULTS = 100_000;

/** Collects all faults of a file, so that a person can correct them at once. */
export const collectFaults = (what = 'The file is') => {
  const listed: string[] = [];
  let count = 0;

  const throwIfAny = () => {
    if (count === 0) return;
    const rest = count - listed.length;
    const lines = [
      `${what} refused because of ${counted(count, 'fault')}. Nothing was written.`,
      ...listed,
      ...(rest > 0 ? [`and ${counted(rest, 'fault')} more`] : []),
      ...(count === MAX_FAULTS ? ['The rest of the file was not checked.'] : []),
    ];
    throw new Failure(lines.join('\n'));
  };

  return {
    /** Throws if there are too many faults. */
    add: (place: Place, detail: string) => {
      count += 1;
      const line = place.entry === undefined ? '' : `line ${place.line}: `;
      if (listed.length < MAX_LISTED_FAULTS) listed.push(`${line}${formatPlace(place)}: ${detail}`);
      if (count === MAX_FAULTS) throwIfAny();
    },
    throwIfAny,
  };
};

const MAX_QUOTED_CHARACTERS = 80;

export const quote = (text: string) =>
  `"${visible(text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text)}"`;
