import { MAX_LISTED_ERRORS } from '../../../shared/limits.ts';
import { Failure } from '../../text/failure.ts';
import { joinMessages, type Message, message } from '../../text/message.ts';
import { quote } from '../../text/quote.ts';
import { countOf } from '../../text/words.ts';

export type Issues = ReturnType<typeof collectIssues>;

/** A line of CSV, a row of a workbook, an entry of JSON, a row that an admin edits in the console, or a whole file. */
export type Place =
  | { unit: 'line' | 'row' | 'entry'; at: number }
  | { unit: 'edit'; at: string }
  | { unit: 'file'; at: 0 };

export const formatPlace = ({ unit, at }: Place) => (unit === 'edit' ? quote(at) : `${unit} ${at}`);

export const OTHER_LIST = 'this is a file of the other list';

/** A file with this many issues is probably the wrong file. */
const MAX_ISSUES = 100_000;

/** Collects all issues of a file in the order of its rows, so that a person sees them together. */
export const collectIssues = (beginning = 'The file is') => {
  const listed: { order: number; text: Message }[] = [];
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
      const order = place.unit === 'edit' ? 0 : place.at;
      const text = place.unit === 'file' ? detail : message`${formatPlace(place)}: ${detail}`;
      listed.splice(1 + listed.findLastIndex((other) => other.order <= order), 0, { order, text });
      if (listed.length > MAX_LISTED_ERRORS) listed.pop();
      if (count === MAX_ISSUES) throwIfAny();
    },
    throwIfAny,
    /** What a person should know even if the file has no issue. */
    notices,
  };
};
