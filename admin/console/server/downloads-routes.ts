import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import { catalogNames, tables } from '../../../shared/tables.ts';
import { findingColumns, readFindings } from '../../check/read-findings.ts';
import type { Column, Format, Rows } from '../../cli/output.ts';
import { clientsOf, warehousesOf } from '../../clients/read-names.ts';
import type { Session } from '../../deployment/session.ts';
import { writeRows } from '../../formats/write-rows.ts';
import { readExport } from '../../lists/export-list.ts';
import {
  balanceColumns,
  differenceColumns,
  historyColumns,
  lineColumns,
  toLines,
} from '../../snapshots/columns.ts';
import { compareSnapshots } from '../../snapshots/compare-snapshots.ts';
import { readNewestReports, readReports } from '../../snapshots/read-reports.ts';
import { Client, readBatch } from './batches-routes.ts';
import { Instant } from './stock-routes.ts';

const formats = {
  xlsx: { kind: 'xlsx' },
  csv: { kind: 'csv', separator: ',', decimal: '.', hasByteOrderMark: true },
  'csv-comma': { kind: 'csv', separator: ';', decimal: ',', hasByteOrderMark: true },
} as const satisfies Record<string, Format>;

const Options = v.object({
  client: v.optional(Client),
  at: Instant,
});
const Code = v.object({ code: v.string() });
const Pair = v.object({ one: v.string(), other: v.string() });
const List = v.object({ list: v.picklist(catalogNames) });

/** Files with the same columns and formats as on the command line. */
export const downloadsRoutes = (session: Session) => {
  /** The limits in the query, which are also in the name of the file. */
  const limitsOf = async (context: Context) => {
    const { client, at: until } = v.parse(Options, context.req.query());
    const now = { ...session, now: new Date() };
    const clients = client === undefined ? await warehousesOf(now) : await clientsOf(now, client);
    return { now, clients, until, names: [client, nameOf(until ?? now.now)] };
  };

  return new Hono()
    .get('/balances', async (context) => {
      const { now, clients, until, names } = await limitsOf(context);
      const reports = await readNewestReports(now, clients, { until });
      return answerFile(context, ['balances', ...names], balanceColumns, reports);
    })
    .get('/history', async (context) => {
      const { code } = v.parse(Code, context.req.query());
      const { now, clients, until, names } = await limitsOf(context);
      const reports = await readReports(now, code, clients, { until });
      return answerFile(context, ['history', shorten(code), ...names], historyColumns, reports);
    })
    .get('/findings', async (context) => {
      const { now, clients, until, names } = await limitsOf(context);
      const findings = await readFindings(now, clients, { until });
      return answerFile(context, ['findings', ...names], findingColumns, findings);
    })
    .get('/batches/:client/:id', async (context) => {
      const batch = await readBatch(session, context.req.param());
      return answerFile(context, ['batch', ...namesOf(batch)], lineColumns, toLines(batch));
    })
    .get('/comparison', async (context) => {
      const { one, other } = v.parse(Pair, context.req.query());
      const [before, after] = await Promise.all([readNamed(session, one), readNamed(session, other)]);
      const names = ['comparison', ...namesOf(before), 'to', ...namesOf(after)];
      return answerFile(context, names, differenceColumns, compareSnapshots(before, after));
    })
    .get('/lists/:list', async (context) => {
      const { list } = v.parse(List, context.req.param());
      const { columns, rows } = await readExport({ ...session, fileFormat: formats.csv }, list);
      return answerFile(context, [tables[list].catalog.command, nameOf(new Date())], columns, rows);
    });
};

/** Reads a batch by `CLIENT/ID`. No client name contains a slash. */
const readNamed = (session: Session, name: string) => {
  const [client, id] = name.split('/', 2);
  return readBatch(session, { client, id });
};

const LONGEST = 40;
/** A file name has at most 255 bytes. */
const shorten = (code: string) => [...code].slice(0, LONGEST).join('');

const namesOf = ({ client, receivedAt }: { client: string; receivedAt: Date }) => [
  client,
  nameOf(receivedAt),
];

/** Local time, as on the page. Windows allows no colon in a file name. */
const nameOf = (time: Date) => time.toLocaleString('sv-SE').replaceAll(':', '.');

const FormatName = v.object({ format: v.picklist(['xlsx', 'csv', 'csv-comma']) });

const types = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

const answerFile = async <TRow>(
  context: Context,
  names: readonly (string | undefined)[],
  columns: readonly Column<TRow>[],
  rows: Rows<TRow>,
) => {
  const format = formats[v.parse(FormatName, context.req.query()).format];
  const pieces: Buffer<ArrayBuffer>[] = [];
  await writeRows(async (piece) => void pieces.push(Buffer.from(piece)), format, columns, rows);
  const name = `${names.filter(Boolean).join(' ')}.${format.kind}`;
  return context.body(Buffer.concat(pieces), 200, {
    'Content-Type': types[format.kind],
    'Content-Disposition': dispositionOf(name),
  });
};

/** RFC 6266 with RFC 8187: the name in UTF-8, and in ASCII for old clients. */
const dispositionOf = (name: string) => {
  const safe = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, '-');
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${safe.replaceAll(/[^ -~]/gu, '_')}"; filename*=UTF-8''${encoded}`;
};
