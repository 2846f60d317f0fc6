import type { Column } from '../../text/output.ts';
import { formatAge } from '../../text/time.ts';
import { type CommandSession, isForPeople } from './open-command.ts';

/** A column only for tables that people read, because an age changes every second. */
export const ageColumn = <TRow>(
  session: CommandSession,
  timeOf: (row: TRow) => unknown,
  name = 'Age',
): Column<TRow>[] => {
  const value = (row: TRow) => {
    const time = timeOf(row);
    return time instanceof Date ? formatAge(time, session.now) : undefined;
  };
  return isForPeople(session) ? [{ name, value, align: 'right' }] : [];
};
