import { MAX_LISTED_FAULTS } from '../../shared/limits.ts';
import { Failure } from '../failure.ts';
import { visible } from '../table.ts';
import { counted } from '../words.ts';

export type Faults = ReturnType<typeof collectFaults>;

/** Everything that is wrong with a file, so that it can be mended in one go. */
export const collectFaults = () => {
  const listed: string[] = [];
  let count = 0;
  return {
    add: (line: number, detail: string) => {
      count += 1;
      if (listed.length < MAX_LISTED_FAULTS) listed.push(`line ${line}: ${detail}`);
    },
    /** Throws where there were any. */
    refuse: () => {
      if (count === 0) return;
      const rest = count - listed.length;
      const more = rest > 0 ? [`and ${counted(rest, 'fault')} more`] : [];
      const lines = [
        `The file is refused for ${counted(count, 'fault')}; nothing was written.`,
        ...listed,
        ...more,
      ];
      throw new Failure(lines.join('\n'));
    },
  };
};

const MOST_SHOWN = 80;

/** A piece of a file within a sentence. */
export const quote = (text: string) =>
  `"${visible(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)}"`;
