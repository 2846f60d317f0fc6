import type { Column } from '../../text/output.ts';
import { formatAge } from '../../text/time.ts';
import { type CommandSession, isForPeople } from './open-command.ts';

/** Only in tables for people, because an age changes every second. */
export const ageColumn = <TRow>(
  session: CommandSession,
  timeOf: (row: TRow) => unknown,
  name = 'Age',
): Column<TRow>[] => {
  const value = (row: TRow) => {
    const at = timeOf(row);
    return at instanceof Date ? formatAge(at, session.now) : undefined;
  };
  return isForPeople(session) ? [{ name, value, align: 'right' }] : [];
};
