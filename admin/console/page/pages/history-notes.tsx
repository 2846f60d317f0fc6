import { counted, joinFirstNames } from '../../../cli/words.ts';
import type { StockData } from '../../stock/stock-data.ts';
import { Notice } from '../components/controls.tsx';
import { formatDay } from '../format.ts';

/** What the history lacks. */
export const HistoryNotes = ({ data }: { data: StockData }) => {
  const { clients, historySince, since, thinnedToDays, damaged } = data;
  const shortened = clients.filter((_, client) => (historySince[client] ?? since) > since);
  const starts = formatDay(Math.max(...historySince));
  return (
    <>
      {shortened.length > 0 && (
        <Notice>
          There are too many snapshots for the whole period. The history of {joinFirstNames(shortened)} starts
          later, on {starts} at the latest.
        </Notice>
      )}
      {thinnedToDays > 0 && (
        <Notice>
          There are too many changes to show all. The history has the last of every{' '}
          {counted(thinnedToDays, 'day')}.
        </Notice>
      )}
      {damaged.length > 0 && (
        <Notice kind="error">
          {counted(damaged.length, 'snapshot')} could not be read and {damaged.length === 1 ? 'is' : 'are'}{' '}
          left out: {joinFirstNames(damaged)}
        </Notice>
      )}
    </>
  );
};
