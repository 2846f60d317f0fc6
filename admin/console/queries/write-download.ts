import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../shared/tables.ts';
import type { Where } from '../../deployment/deployment.ts';
import { columnsNamed, columnsOfTable } from '../../formats/columns-of-table.ts';
import { writeComparison } from '../../formats/write-comparison.ts';
import { writeFileAtomically } from '../../formats/write-file.ts';
import { writeReport } from '../../formats/write-report.ts';
import { writeRows } from '../../formats/write-rows.ts';
import { toExport } from '../../lists/files/export-list.ts';
import { openForReading } from '../../stock/database/open-stock.ts';
import { readStockState } from '../../stock/queries/read-state.ts';
import { iterateTable } from '../../stock/queries/read-table.ts';
import { finderOf } from '../../stock/search.ts';
import { Failure } from '../../text/failure.ts';
import type { Column, Format, Rows, Sink } from '../../text/output.ts';
import { formatTime, withZone } from '../../text/time.ts';
import type { QueryAddress, TableAddress } from '../addresses.ts';
import { selectSorted } from './ask-sql.ts';
import { queryOf } from './read-stock.ts';

export type Download =
  /** Without `columns`, the file has all columns. */
  | { kind: 'table'; address: TableAddress; columns?: readonly string[] | undefined }
  | { kind: 'query'; address: QueryAddress }
  /** The rows of a list that a search finds at a moment or now, in the form that an import reads. */
  | { kind: 'list'; list: ListName; search: string | undefined; at: string | undefined }
  | { kind: 'comparison'; deploymentName: string; address: TableAddress }
  | { kind: 'report'; deploymentName: string; at: string | undefined };

/** What each process of a console gets: the path of the stock, the deployment, and how large a download may be. */
export type ProcessData = { file: string; where: Where; maxGigabytes: number };

export type DownloadWork = {
  download: Download;
  format: Format;
  out: string;
};

type Target = Omit<DownloadWork, 'download'> & ProcessData;

/** Returns notices for the person who gets the file. */
export const writeDownload = async (
  { download, ...work }: DownloadWork,
  data: ProcessData,
): Promise<readonly string[]> => {
  const target = { ...work, ...data };
  if (download.kind !== 'list')
    return [...readNotices(data, download), ...(await writeFromStock(target, download))];
  // Only a list needs the SDK. To load the SDK takes longer than most downloads.
  const { openSession } = await import('../../deployment/session.ts');
  const { readListAt } = await import('../../lists/history/read-list-at.ts');
  const { readList, sortRows } = await import('../../lists/storage/read-list.ts');
  const { toSearchText } = await import('../../stock/loading/load-lists.ts');
  const session = await openSession(data.where);
  const { list, search, at } = download;
  const isFound = finderOf(search ?? '');
  const stored = await (at === undefined
    ? readList(session, list)
    : readListAt(session.deployment, list, new Date(at)));
  const items = sortRows(stored).filter((item) => isFound(toSearchText(list, item)));
  const { columns, rows, notices } = toExport(list, items, false);
  return [...notices, ...(await writeFile(target, columns, rows))];
};

type StockDownload = Exclude<Download, { kind: 'list' }>;

/** No batch changes the rows of these tables. */
const WITHOUT_BATCHES = ['clients', 'listChanges', 'listLines'];

const readNotices = ({ file }: ProcessData, download: StockDownload) => {
  const { share, isFirstRead, knownSince } = readStockState(openForReading(file));
  const needsBatches = !(download.kind === 'table' && WITHOUT_BATCHES.includes(download.address.table));
  const missing = isFirstRead ? 'The stock is' : needsBatches && share < 1 && 'Batches are';
  return [
    ...(missing ? [`${missing} still being read, so the file may lack data. Download it again later.`] : []),
    ...(needsBatches && knownSince ? [`From batches since ${formatTime(new Date(knownSince))}.`] : []),
  ];
};

const writeFromStock = (work: Target, download: StockDownload): Promise<string[]> => {
  if (download.kind === 'query') {
    const { columns, rows } = selectSorted(work.file, download.address);
    return writeFile(work, columnsNamed(columns), rows);
  }
  const db = openForReading(work.file);
  if (download.kind === 'table') return writeTable(work, db, download);
  const about = { deploymentName: download.deploymentName, now: new Date() };
  return writeFileAtomically(work.out, async (sink) => {
    if (download.kind === 'comparison') await writeComparison(sink, db, download.address, about);
    else await writeReport(sink, db, { ...about, at: download.at ? new Date(download.at) : undefined });
    return [];
  });
};

/** The columns have the titles that the page shows. A file also says from which batches it is. */
const writeTable = (
  work: Target,
  db: DatabaseSync,
  { address, columns: shown }: Download & { kind: 'table' },
) => {
  const query = queryOf(db, address);
  const columns = columnsOfTable(query)
    .filter(({ name }) => name === 'BatchesSince' || (shown?.includes(name) ?? true))
    .map((column) => {
      const title = column.title ?? column.name;
      return { ...column, name: work.format.kind === 'csv' && column.isTime ? withZone(title) : title };
    });
  return writeFile(work, columns, iterateTable(db, query, { sort: address.sort }));
};

const writeFile = <TRow>(
  { out, format, maxGigabytes }: Target,
  columns: readonly Column<TRow>[],
  rows: Rows<TRow>,
) => writeFileAtomically(out, (sink) => writeRows(withinLimit(sink, maxGigabytes), format, columns, rows));

/** A query may find rows without end, which would fill the disk. */
const withinLimit = (sink: Sink, maxGigabytes: number): Sink => {
  let bytes = 0;
  return async (piece) => {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxGigabytes * 1e9)
      throw new Failure(`The file would have more than ${maxGigabytes} GB. Ask for less at a time.`);
    await sink(piece);
  };
};
