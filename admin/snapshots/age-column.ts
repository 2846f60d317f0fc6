import type { Column } from '../cli/output.ts';
import { formatAge } from '../cli/time.ts';
import type { Session } from '../deployment/session.ts';

/** For people alone; programs have the time itself, and an age is another one with each second. */
export const ageColumn = <TRow>({ format, now }: Session, timeOf: (row: TRow) => Date): Column<TRow>[] =>
  format.kind === 'table'
    ? [{ name: 'Age', value: (row) => formatAge(timeOf(row), now), align: 'right' }]
    : [];
