import type { ListName } from '../../../shared/tables.ts';
import type { Where } from '../../deployment/deployment.ts';
import { columnsOfTable } from '../../formats/table-columns.ts';
import { writeFileAtomically } from '../../formats/write-file.ts';
import { writeReport } from '../../formats/write-report.ts';
import { writeRows } from '../../formats/write-rows.ts';
import { toExport } from '../../lists/files/export-list.ts';
import { openForReading } from '../../stock/database/open-stock.ts';
import { type Cell, iterateTable } from '../../stock/queries/table-query.ts';
import { selectRows } from '../../stock/sql/select-rows.ts';
import type { Column, Format, Rows } from '../../text/output.ts';
import { inWords } from '../queries/questions.ts';
import { showMoment } from '../queries/show-moment.ts';
import { queryOfTable, type TableParameters } from '../queries/table-window.ts';

/** What a person downloads. */
export type Download =
  | { kind: 'table'; name: string; parameters: TableParameters; columns?: readonly string[] | undefined }
  | { kind: 'list'; list: ListName }
  /** Of a query that somebody typed. */
  | { kind: 'query'; sql: string; at: number | undefined }
  /** The workbook of all tables. */
  | { kind: 'report'; what: string; at: string | undefined };

export type DownloadWork = {
  download: Download;
  format: Format;
  out: string;
  /** The file of the stock. */
  file: string;
  where: Where;
};

/** Writes a file. Returns notices for the person who gets it. */
export const writeDownload = async ({ download, ...work }: DownloadWork): Promise<readonly string[]> => {
  if (download.kind === 'table') return writeTable(work, download);
  if (download.kind === 'report') return writeStockReport(work, download);
  if (download.kind === 'query') {
    const { columns, rows } = selectRows({ ...download, file: work.file });
    return writeFile(
      work,
      columns.map((name, index) => ({ name, value: (cells: readonly Cell[]) => cells[index] })),
      rows,
    );
  }
  // Only a list needs the SDK, whose load takes longer than most downloads.
  const { openSession } = await import('../../deployment/session.ts');
  const { readList, sortRows } = await import('../../lists/storage/read-list.ts');
  const session = await openSession(work.where);
  const items = sortRows(await readList(session, download.list));
  const { columns, rows, notices } = toExport(download.list, items, false);
  return [...notices, ...(await writeFile(work, columns, rows))];
};

type Place = Omit<DownloadWork, 'download'>;

/** What the page shows, with its titles. Without names of columns, it has all of them. */
const writeTable = (work: Place, { name, parameters, columns: shown }: Download & { kind: 'table' }) =>
  inWords(() => {
    const db = openForReading(work.file);
    showMoment(db, { kind: 'window', name, parameters });
    const { query, sort } = queryOfTable(db, name, parameters);
    const columns = columnsOfTable(query)
      .filter(({ name }) => shown?.includes(name) ?? true)
      .map((column) => ({ ...column, name: column.title ?? column.name }));
    return writeFile(work, columns, iterateTable(db, query, sort));
  }, parameters['at']);

const writeStockReport = ({ out, file }: Place, { what, at }: Download & { kind: 'report' }) =>
  inWords(async () => {
    const db = openForReading(file);
    const moment = at === undefined ? undefined : new Date(at);
    await writeFileAtomically(out, (sink) => writeReport(sink, db, { what, now: new Date(), at: moment }));
    return [];
  }, at);

const writeFile = <TRow>({ out, format }: Place, columns: readonly Column<TRow>[], rows: Rows<TRow>) =>
  writeFileAtomically(out, (sink) => writeRows(sink, format, columns, rows));
