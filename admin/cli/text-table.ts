import stringWidth from 'string-width';

/** What a terminal would obey, or a reader could not see, is shown by its number. */
export const visible = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

type Line = readonly string[];

/**
 * Lines with columns of one width each, by what a terminal needs for a sign: two places for 鋼, none for an accent.
 * Where that is wider than the terminal, the last column goes on in the lines below.
 */
export function* alignedLines(lines: readonly Line[], isRight: readonly boolean[], terminalWidth?: number) {
  const widths = isRight.map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, stringWidth(line[index] ?? '')), 0),
  );
  const room = roomForLast(widths, terminalWidth);
  const draw = (line: Line) => {
    const cells = line.map((text, index) => {
      const blank = ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(text)));
      return isRight[index] ? blank + text : text + blank;
    });
    return `${cells.join('  ').trimEnd()}\n`;
  };
  const [titles = [], ...others] = lines;
  yield draw(titles);
  yield draw(
    widths.map((width, index) => '-'.repeat(index === widths.length - 1 ? Math.min(width, room) : width)),
  );
  for (const line of others) {
    const [first = '', ...more] = wrapped(line.at(-1) ?? '', room);
    yield draw([...line.slice(0, -1), first]);
    for (const text of more) yield draw([...line.slice(0, -1).map(() => ''), text]);
  }
}

const LEAST_ROOM = 30;

const roomForLast = (widths: readonly number[], terminalWidth = Number.POSITIVE_INFINITY) => {
  const others = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  return Math.max(LEAST_ROOM, terminalWidth - others);
};

/** Broken at blanks alone, so that no code is torn. */
const wrapped = (text: string, room: number) => {
  if (stringWidth(text) <= room) return [text];
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && stringWidth(longer) > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
};
