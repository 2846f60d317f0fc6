import { MAX_LISTED_ERRORS } from '../../../shared/limits.ts';
import { Failure } from '../../text/failure.ts';
import { joinMessages, type Message, told } from '../../text/message.ts';
import { quote } from '../../text/quote.ts';
import { countOf } from '../../text/words.ts';

export type Issues = ReturnType<typeof collectIssues>;

/**
 * A place in a file. `entry` counts the rows of JSON, because all of them may be on one line. `edited` is the row that an
 * admin edits in the console, without a file.
 */
export type Place = { line: number; entry?: number; unit?: 'row'; edited?: string };

export const formatPlace = ({ line, entry, unit, edited }: Place) => {
  if (edited !== undefined) return quote(edited);
  return entry === undefined ? `${unit ?? 'line'} ${line}` : `entry ${entry}`;
};

export const OTHER_LIST = 'this is a file of the other list';

/** A file with this many issues is probably the wrong file. */
const MAX_ISSUES = 100_000;

/** Collects all issues of a file in the order of its lines, so that a person sees them together. */
export const collectIssues = (beginning = 'The file is') => {
  const listed: { line: number; text: Message }[] = [];
  const notices: string[] = [];
  let count = 0;

  const throwIfAny = () => {
    if (count === 0) return;
    const left = count - listed.length;
    const lines = [
      `${beginning} refused because of ${countOf(count, 'error')}. Nothing was written.`,
      ...listed.map(({ text }) => text),
      ...(left > 0 ? [`and ${countOf(left, 'error')} more`] : []),
      ...(count === MAX_ISSUES ? ['The rest of the file was not checked.'] : []),
      ...notices,
    ];
    throw new Failure(joinMessages(lines, '\n'));
  };

  return {
    /** Throws if there are too many issues. */
    add: (place: Place, detail: Message) => {
      count += 1;
      const prefix = place.entry === undefined ? '' : `line ${place.line}: `;
      const before = listed.findLastIndex(({ line }) => line <= place.line);
      listed.splice(before + 1, 0, {
        line: place.line,
        text: told`${prefix}${formatPlace(place)}: ${detail}`,
      });
      if (listed.length > MAX_LISTED_ERRORS) listed.pop();
      if (count === MAX_ISSUES) throwIfAny();
    },
    throwIfAny,
    /** What a person should know even if the file has no issue. */
    notices,
  };
};
