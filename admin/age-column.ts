import type { Column } from './output.ts';
import type { Session } from './session.ts';
import { ageInWords } from './time.ts';

/** For people alone; programs have the time itself, and an age is another one with each second. */
export const ageColumn = <TRow>({ format, now }: Session, timeOf: (row: TRow) => Date): Column<TRow>[] =>
  format.kind === 'table'
    ? [{ name: 'Age', value: (row) => ageInWords(timeOf(row), now), align: 'right' }]
    : [];
