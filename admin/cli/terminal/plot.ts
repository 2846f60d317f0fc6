/** A value that holds from a time until the next point. */
type Point = { at: Date; value: number };

type Size = { width: number; height: number };

/** Draws steps, because no value is known between two batches. A column shows the value at the end of its time. */
export const plot = (points: readonly Point[], { width, height }: Size): string[] => {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return [];
  const values = points.map(({ value }) => value);
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  const labels = [high, (high + low) / 2, low].map((value) => shortNumber(value));
  const margin = Math.max(...labels.map((label) => label.length));
  const columns = Math.max(2, width - margin - 2);
  const rowOf = (value: number) =>
    high === low ? 0 : Math.round(((high - value) / (high - low)) * (height - 1));
  const rowByColumn = valueByColumn(points, columns).map(rowOf);
  const lines = Array.from({ length: high === low ? 1 : height }, (_, row) => {
    const label = row === 0 ? labels[0] : row === height - 1 ? labels[2] : '';
    return `${(label ?? '').padStart(margin)} ┤${rowByColumn.map((_, column) => characterAt(rowByColumn, column, row)).join('')}`;
  });
  return [...lines.map((line) => line.trimEnd()), timeLine(first.at, last.at, margin, columns)];
};

const valueByColumn = (points: readonly Point[], columns: number) => {
  const [from, to] = [points[0]?.at.getTime() ?? 0, points.at(-1)?.at.getTime() ?? 0];
  let index = 0;
  return Array.from({ length: columns }, (_, column) => {
    const until = from + ((to - from) * (column + 1)) / columns;
    while ((points[index + 1]?.at.getTime() ?? Number.POSITIVE_INFINITY) <= until) index += 1;
    return points[index]?.value ?? 0;
  });
};

/** A step is drawn in the column where the new value begins. */
const characterAt = (rowByColumn: readonly number[], column: number, row: number) => {
  const here = rowByColumn[column] ?? 0;
  const before = rowByColumn[column - 1] ?? here;
  const rises = here < before;
  if (row === here) return here === before ? '─' : rises ? '╭' : '╰';
  if (row === before) return rises ? '╯' : '╮';
  const isBetween = (row - here) * (row - before) < 0;
  return isBetween ? '│' : ' ';
};

const timeLine = (from: Date, to: Date, margin: number, columns: number) => {
  const [start, end] = [from, to].map((instant) => instant.toISOString().slice(0, 16).replace('T', ' '));
  const gap = ' '.repeat(Math.max(1, columns - 32));
  return `${' '.repeat(margin + 2)}${start}${gap}${end}`;
};

/** Keeps all digits before the decimal point. */
const shortNumber = (value: number) =>
  String(Math.abs(value) < 100_000 ? Number(value.toPrecision(6)) : Math.round(value));
