/** What is typed or printed at a terminal, with the seconds until the next step begins. */
export type Step = { lines: readonly string[]; seconds: number } & ({ typed: true } | { typed?: undefined });

/** A terminal of its own, which replaces the one of the previous scene. */
export type Scene = { title: string; steps: readonly Step[] };

const FONT_SIZE = 13;
const CHARACTER = 7.8;
const LINE = 18;
const MARGIN = 16;
const BAR = 30;
const TYPED_PER_SECOND = 55;
const PROMPT = '$ ';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string) => text.replaceAll(/[&<>]/g, (sign) => escapes[sign] ?? sign);

const length = (text: string) => [...text].length;
const px = (value: number) => String(Math.round(value * 10) / 10);

/** A text line has the same width in every font, so that columns stay aligned and covers fit. */
const textLine = (text: string, row: number, style: string) =>
  text.trim() === ''
    ? ''
    : `<text class="${style}" x="${MARGIN}" y="${px(BAR + MARGIN + row * LINE)}" textLength="${px(length(text) * CHARACTER)}" xml:space="preserve">${escapeXml(text)}</text>`;

const typingTime = (text: string) => length(text) / TYPED_PER_SECOND;

const durationOf = (step: Step) => step.seconds + (step.typed ? typingTime(step.lines.join('')) : 0);

/** Items one after another, with the second in which each begins and ends. */
const timed = <Item>(items: readonly Item[], seconds: (item: Item) => number, start = 0) => {
  let at = start;
  return items.map((item) => {
    const begin = at;
    at += seconds(item);
    return { item, begin, end: at };
  });
};

/** Draws scenes as an SVG that repeats without a script. Without motion it shows the end of the last scene. */
export const drawTerminal = (title: string, scenes: readonly Scene[], columns: number) => {
  const sceneTimes = timed(scenes, ({ steps }) => steps.reduce((sum, step) => sum + durationOf(step), 0));
  const total = sceneTimes.at(-1)?.end ?? 0;
  const rows = Math.max(...scenes.map(({ steps }) => steps.flatMap(({ lines }) => lines).length));
  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
  const height = BAR + MARGIN + rows * LINE;
  const rules: string[] = [];
  const percent = (seconds: number) => `${Math.round((seconds / total) * 10_000) / 100}%`;

  /** A class that shows its elements from one second to another. */
  const visible = (begin: number, end: number) => {
    const name = `s${rules.length}`;
    const hidden = 'opacity:0';
    const last = end >= total ? '' : `${percent(end)},to{${hidden}}`;
    rules.push(
      `@keyframes ${name}{from{${hidden}}${percent(begin)}{opacity:1}${last}}.${name}{animation-name:${name}}`,
    );
    return name;
  };
  /** A class that moves a cover off a line, one character at a time. */
  const uncover = (begin: number, end: number, characters: number) => {
    const name = `s${rules.length}`;
    const moved = `transform:translateX(${px(characters * CHARACTER)}px)`;
    rules.push(
      `@keyframes ${name}{from,${percent(begin)}{transform:none;opacity:1;animation-timing-function:steps(${characters})}${percent(end)}{${moved};opacity:1}${percent(end + 0.01)},to{${moved};opacity:0}}.${name}{animation-name:${name}}`,
    );
    return name;
  };
  const drawTyped = (step: Step, begin: number, row: number) =>
    timed(step.lines, typingTime, begin).map(({ item: line, ...times }, index) => {
      const y = px(BAR + MARGIN + (row + index) * LINE - LINE + 5);
      const cover = `<g class="cover ${uncover(times.begin, times.end, length(line))}"><rect class="screen" x="${MARGIN}" y="${y}" width="${width}" height="${LINE}"/><rect class="cursor" x="${MARGIN}" y="${y}" width="${CHARACTER}" height="${LINE - 2}"/></g>`;
      return `<g class="${visible(times.begin, total)}">${textLine(line, row + index, 'typed')}${cover}</g>`;
    });
  const drawStep = (step: Step, begin: number, row: number) =>
    step.typed
      ? drawTyped(step, begin, row)
      : [
          `<g class="${visible(begin, total)}">${step.lines.map((line, index) => textLine(line, row + index, 'printed')).join('')}</g>`,
        ];
  const drawScene = ({ title, steps }: Scene, begin: number, end: number) => {
    let row = 0;
    const drawn = timed(steps, durationOf, begin).flatMap(({ item, begin: start }) => {
      row += item.lines.length;
      return drawStep(item, start, row - item.lines.length);
    });
    const isLast = end >= total;
    return `<g class="${isLast ? '' : 'earlier '}${visible(begin, end)}"><text class="title" x="${px(width / 2)}" y="20">${escapeXml(title)}</text>${drawn.join('\n')}</g>`;
  };

  const drawing = sceneTimes.map(({ item, begin, end }) => drawScene(item, begin, end)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${FONT_SIZE}">
<title>${escapeXml(title)}</title>
<style>
g{animation:${px(total)}s step-end infinite}
.screen{fill:#161b22}.cursor{fill:#9aa4ae}.printed{fill:#c9d1d9}.typed{fill:#7ee787}.title{fill:#9aa4ae;text-anchor:middle}
.earlier{opacity:0}.cover{opacity:0}
${rules.join('\n')}
@media(prefers-reduced-motion:reduce){g{animation:none}.earlier{display:none}}
</style>
<rect class="screen" width="${width}" height="${height}" rx="8"/>
<circle cx="18" cy="15" r="5" fill="#ff5f57"/><circle cx="36" cy="15" r="5" fill="#febc2e"/><circle cx="54" cy="15" r="5" fill="#28c840"/>
${drawing}
</svg>
`;
};

/** A typed command of several lines, after the prompt. */
export const typeCommand = (command: string, seconds = 0.4): Step => ({
  lines: command.split('\n').map((line, index) => (index === 0 ? PROMPT : '') + line),
  seconds,
  typed: true,
});
