import stringWidth from 'string-width';

/** What a terminal would obey, or a reader could not see, is shown by its number. */
export const visible = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** Lines with columns of one width each, by what a terminal needs for a sign: two places for 鋼, none for an accent. */
export function* alignedLines(lines: readonly (readonly string[])[], isRight: readonly boolean[]) {
  const widths = isRight.map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, stringWidth(line[index] ?? '')), 0),
  );
  const draw = (line: readonly string[]) => {
    const cells = line.map((text, index) => {
      const blank = ' '.repeat((widths[index] ?? 0) - stringWidth(text));
      return isRight[index] ? blank + text : text + blank;
    });
    return `${cells.join('  ').trimEnd()}\n`;
  };
  const [titles = [], ...others] = lines;
  yield draw(titles);
  yield draw(widths.map((width) => '-'.repeat(width)));
  for (const line of others) yield draw(line);
}
