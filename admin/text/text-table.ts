import stringWidth from 'string-width';

/** Shows control and invisible characters by their numbers. */
export const visible = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Cs}\u200B\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

const MAX_QUOTED_CHARACTERS = 80;

export const quote = (text: string) =>
  `"${visible(text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text)}"`;

type Line = readonly string[];

/**
 * Aligns columns by the width on a terminal: two places for 鋼, none for an accent. In a narrow terminal the last
 * column continues on the lines below.
 */
export function* alignedLines(lines: readonly Line[], isRight: readonly boolean[], terminalWidth?: number) {
  const widths = isRight.map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, stringWidth(line[index] ?? '')), 0),
  );
  const lastWidth = widthForLast(widths, terminalWidth);
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
    widths.map((width, index) =>
      '-'.repeat(index === widths.length - 1 ? Math.min(width, lastWidth) : width),
    ),
  );
  for (const line of others) {
    const [first = '', ...more] = wrap(line.at(-1) ?? '', lastWidth);
    yield draw([...line.slice(0, -1), first]);
    for (const text of more) yield draw([...line.slice(0, -1).map(() => ''), text]);
  }
}

const LEAST_WIDTH = 30;

const widthForLast = (widths: readonly number[], terminalWidth = Number.POSITIVE_INFINITY) => {
  const others = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  return Math.max(LEAST_WIDTH, terminalWidth - others);
};

/** Breaks at blanks only, so that codes stay whole. */
const wrap = (text: string, width: number) => {
  if (stringWidth(text) <= width) return [text];
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && stringWidth(longer) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
};
