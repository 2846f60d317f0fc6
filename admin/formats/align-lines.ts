import stringWidth from 'string-width';

type Line = readonly string[];

/**
 * Aligns columns by their width on a terminal, where 鋼 is two characters wide and an accent has no width. In a narrow
 * terminal, the last column continues on the next lines. `measured` are all lines that may come, with the titles first.
 */
export const alignLines = (
  measured: readonly Line[],
  isRightAligned: readonly boolean[],
  terminalWidth?: number,
) => {
  const widths = isRightAligned.map((_, index) =>
    measured.reduce((widest, line) => Math.max(widest, stringWidth(line[index] ?? '')), 0),
  );
  const lastWidth = widthForLast(widths, terminalWidth);
  const draw = (line: Line) => {
    const cells = line.map((text, index) => {
      const spaces = ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(text)));
      return isRightAligned[index] ? spaces + text : text + spaces;
    });
    return `${cells.join('  ').trimEnd()}\n`;
  };
  const rule = widths.map((width, index) =>
    '-'.repeat(index === widths.length - 1 ? Math.min(width, lastWidth) : width),
  );
  return {
    head: draw(measured[0] ?? []) + draw(rule),
    drawRow: (line: Line) => {
      const [first = '', ...more] = wrap(line.at(-1) ?? '', lastWidth);
      const others = line.slice(0, -1);
      const continued = more.map((text) => draw([...others.map(() => ''), text]));
      return [draw([...others, first]), ...continued].join('');
    },
  };
};

const NARROWEST = 30;

const widthForLast = (widths: readonly number[], terminalWidth = Number.POSITIVE_INFINITY) => {
  const othersWidth = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  return Math.max(NARROWEST, terminalWidth - othersWidth);
};

/** Breaks at spaces only, so that codes stay whole. */
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
