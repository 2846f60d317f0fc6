import { MAX_LISTED_FAULTS } from '../../shared/schemas/limits.ts';
import { Failure } from '../cli/failure.ts';
import { visible } from '../cli/text-table.ts';
import { counted } from '../cli/words.ts';

export type Faults = ReturnType<typeof collectFaults>;

/** Where something stands in a file; in JSON, where all may stand in one line, also in which row. */
export type Place = { line: number; entry?: number };

export const OTHER_LIST = 'this is a file of the other list';

/** Far more than anybody mends one by one: the file is another one than was meant. */
const HOPELESS = 100_000;

/** Everything that is wrong with a file, so that it can be mended in one go. */
export const collectFaults = () => {
  const listed: string[] = [];
  let count = 0;

  /** Throws where there were any. */
  const refuse = () => {
    if (count === 0) return;
    const rest = count - listed.length;
    const lines = [
      `The file is refused for ${counted(count, 'fault')}; nothing was written.`,
      ...listed,
      ...(rest > 0 ? [`and ${counted(rest, 'fault')} more`] : []),
      ...(count === HOPELESS ? ['What follows was not looked at.'] : []),
    ];
    throw new Failure(lines.join('\n'));
  };

  return {
    /** Throws where there are too many to go on. */
    add: ({ line, entry }: Place, detail: string) => {
      count += 1;
      const where = entry === undefined ? `line ${line}` : `line ${line}: entry ${entry}`;
      if (listed.length < MAX_LISTED_FAULTS) listed.push(`${where}: ${detail}`);
      if (count === HOPELESS) refuse();
    },
    refuse,
  };
};

const MOST_SHOWN = 80;

/** A piece of a file within a sentence. */
export const quote = (text: string) =>
  `"${visible(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)}"`;
