import { type Context, Hono } from 'hono';
import { stream } from 'hono/streaming';
import * as v from 'valibot';
import { listNames, tables } from '../../../shared/tables.ts';
import type { Format } from '../../text/output.ts';
import type { StockService } from '../processes/start-stock.ts';
import type { Download } from '../queries/write-download.ts';

const formats = {
  xlsx: { kind: 'xlsx' },
  csv: { kind: 'csv', separator: ',', decimal: '.', hasByteOrderMark: true },
  'csv-comma': { kind: 'csv', separator: ';', decimal: ',', hasByteOrderMark: true },
} as const satisfies Record<string, Format>;

const List = v.object({ list: v.picklist(listNames) });
const Columns = v.optional(v.pipe(v.string(), v.parseJson(), v.array(v.string())));

export const downloadsRoutes = (stock: StockService, deploymentName: string) =>
  new Hono()
    .get('/tables/:name', async (context) => {
      const { format, columns, ...parameters } = context.req.query();
      const { at, since, sort, after, before, limit, sql, ...filter } = parameters;
      const name = context.req.param('name');
      const names = [name, ...shorten(Object.values(filter)), nameAt(at)];
      const download = { kind: 'table', name, parameters, columns: v.parse(Columns, columns) } as const;
      return sendFile(context, names, download, stock);
    })
    .get('/lists/:list', (context) => {
      const { list } = v.parse(List, context.req.param());
      const names = [tables[list].list.command, nameOf(new Date())];
      return sendFile(context, names, { kind: 'list', list }, stock);
    })
    .get('/report', (context) => {
      const at = context.req.query('at');
      const download = { kind: 'report', deploymentName, at } as const;
      return sendFile(context, ['stock', nameAt(at)], download, stock, 'xlsx');
    });

/** Does not check the moment, because `openDownload` refuses a wrong moment with a message. */
const nameAt = (at: string | undefined) => nameOf(at === undefined ? new Date() : new Date(at));

const MAX_CHARACTERS = 40;
/** A file name has at most 255 bytes, so it names only two of the filters. */
const shorten = (filters: readonly string[]) =>
  filters.slice(0, 2).map((filter) => [...filter].slice(0, MAX_CHARACTERS).join(''));

/** The local time, as on the page. Windows allows no colon in a file name. */
const nameOf = (time: Date) => time.toLocaleString('sv-SE').replaceAll(':', '.');

const FormatName = v.object({ format: v.picklist(['xlsx', 'csv', 'csv-comma']) });

const types = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

const headersOf = (
  names: readonly string[],
  { kind }: (typeof formats)[keyof typeof formats],
  notices: readonly string[],
) => ({
  'Content-Type': types[kind],
  'Content-Disposition': dispositionOf(`${names.join(' ')}.${kind}`),
  // A header can only have ASCII characters.
  Notices: encodeURIComponent(JSON.stringify(notices)),
});

const sendFile = async (
  context: Context,
  names: readonly string[],
  download: Download,
  stock: StockService,
  onlyFormat?: 'xlsx',
) => {
  const format = formats[onlyFormat ?? v.parse(FormatName, context.req.query()).format];
  const { handle, notices } = await stock.openDownload({ download, format }, context.req.raw.signal);
  for (const [name, value] of Object.entries(headersOf(names, format, notices))) context.header(name, value);
  return stream(context, async (output) => {
    // The loop closes the file, also when the browser has gone.
    for await (const piece of handle.createReadStream()) {
      if (output.aborted) break;
      await output.write(piece);
    }
  });
};

/** Gives the name in UTF-8, and in ASCII for old browsers, as in RFC 6266 and RFC 8187. */
const dispositionOf = (name: string) => {
  const safe = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, '-');
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${safe.replaceAll(/[^ -~]/gu, '_')}"; filename*=UTF-8''${encoded}`;
};
