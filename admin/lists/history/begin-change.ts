import type { ListName } from '../../../shared/tables.ts';
import { Failure } from '../../text/failure.ts';
import type { ChangeOrigin, RowChange } from '../plan/row-change.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { type HistoryTarget, historyWriter, Overtaken } from './history-writer.ts';

const MAX_ATTEMPTS = 5;

/** Keeps a change in the history before a row is written. The history then also has what somebody has changed past these tools. */
export const beginChange = async (
  deployment: HistoryTarget,
  list: ListName,
  changes: readonly RowChange[],
  { kind: Kind, source, undoes }: ChangeOrigin,
) => {
  const writer = historyWriter(deployment, list, await deployment.caller());
  const origin = {
    Kind,
    ...(source === undefined ? {} : { Source: source }),
    ...(undoes === undefined ? {} : { Undoes: undoes }),
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const begun = await writer.put(origin, changes, await bringUpToDate(deployment, list, writer));
      return { id: begun.Id, end: (left: readonly string[]) => writer.end(begun, left) };
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (attempt === MAX_ATTEMPTS)
        throw new Failure('Other people are changing this list right now. Try again in a moment.');
    }
  }
};
