import type { Column } from '../../text/output.ts';
import { formatAge } from '../../text/time.ts';
import type { Output } from './output.ts';

/** A column only for tables that people read, because an age changes every second. */
export const ageColumn = <TRow>(
  { isForPeople }: Pick<Output, 'isForPeople'>,
  now: Date,
  timeOf: (row: TRow) => unknown,
  name = 'Age',
): Column<TRow>[] => {
  const value = (row: TRow) => {
    const time = timeOf(row);
    return time instanceof Date ? formatAge(time, now) : undefined;
  };
  return isForPeople ? [{ name, value, align: 'right' }] : [];
};
