import { type Context, Hono } from 'hono';
import { stream } from 'hono/streaming';
import * as v from 'valibot';
import type { Format } from '../../text/output.ts';
import { formatTime } from '../../text/time.ts';
import { MomentAddress, TableAddress } from '../addresses.ts';
import type { StockService } from '../processes/start-stock.ts';
import type { Download } from '../queries/write-download.ts';
import { listOf } from './lists-routes.ts';
import { readAddress } from './respond-with-error.ts';
import { readQueryAddress } from './tables-routes.ts';

const formats = {
  xlsx: { kind: 'xlsx' },
  csv: { kind: 'csv', separator: ',', decimal: '.', hasByteOrderMark: true },
  'csv-comma': { kind: 'csv', separator: ';', decimal: ',', hasByteOrderMark: true },
} as const satisfies Record<string, Format>;
type FileFormat = (typeof formats)[keyof typeof formats];

const WRONG_COLUMNS = 'Write the names of columns as ["MaterialCode","Client"].';
const WRONG_FORMAT = 'Choose xlsx, csv or csv-comma.';
const FormatAddress = v.object(
  { format: v.picklist(['xlsx', 'csv', 'csv-comma'], WRONG_FORMAT) },
  WRONG_FORMAT,
);
const ColumnsAddress = v.object({
  columns: v.optional(
    v.pipe(v.string(), v.parseJson({}, WRONG_COLUMNS), v.array(v.string(WRONG_COLUMNS), WRONG_COLUMNS)),
  ),
});

export const downloadsRoutes = (stock: StockService, deploymentName: string) => {
  const send = async (
    context: Context,
    names: readonly string[],
    download: Download,
    format: FileFormat = formats[readAddress(FormatAddress, context).format],
  ) => {
    const { handle, notices } = await stock.openDownload({ download, format }, context.req.raw.signal);
    for (const [name, value] of Object.entries(headersOf(names, format, notices)))
      context.header(name, value);
    return stream(context, async (output) => {
      // The loop closes the file, also when the browser has gone.
      for await (const piece of handle.createReadStream()) {
        if (output.aborted) break;
        await output.write(piece);
      }
    });
  };

  return new Hono()
    .get('/tables/query', async (context) => {
      const address = readQueryAddress(context);
      return send(context, ['query', nameOf(address.at)], { kind: 'query', address });
    })
    .get('/tables/:table', async (context) => {
      const address = readAddress(TableAddress, context);
      const { columns } = readAddress(ColumnsAddress, context);
      const { at, since, sort, page, limit, format, before, columns: _, ...filter } = context.req.query();
      const earlier = before === undefined ? [] : [nameOf(address.before)];
      const names = [
        wordsOf(address.table),
        ...shorten(Object.values(filter)),
        ...earlier,
        nameOf(address.at),
      ];
      return send(context, names, { kind: 'table', address, columns });
    })
    .get('/lists/:command', (context) => {
      const { command } = context.req.param();
      const { at } = readAddress(MomentAddress, context);
      const { search } = context.req.query();
      const names = [command, ...shorten(search ? [search] : []), nameOf(at)];
      return send(context, names, { kind: 'list', list: listOf(command), search, at });
    })
    .get('/comparison', (context) => {
      const address = readAddress(TableAddress, context, { table: 'compared' });
      const names = ['compare', nameOf(address.before), nameOf(address.at)];
      return send(context, names, { kind: 'comparison', deploymentName, address }, formats.xlsx);
    })
    .get('/report', (context) => {
      const { at } = readAddress(MomentAddress, context);
      return send(context, ['stock', nameOf(at)], { kind: 'report', deploymentName, at }, formats.xlsx);
    });
};

/** `compared units` for `comparedUnits`. */
const wordsOf = (table: string) => table.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const MAX_CHARACTERS = 40;
/** A file name has at most 255 bytes, so it names only two of the filters. */
const shorten = (filters: readonly string[]) =>
  filters.slice(0, 2).map((filter) => [...filter].slice(0, MAX_CHARACTERS).join(''));

/** The time as on the page. Windows allows no colon in a file name. */
const nameOf = (at?: string) => formatTime(at === undefined ? new Date() : new Date(at)).replaceAll(':', '.');

const types = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

const headersOf = (names: readonly string[], { kind }: FileFormat, notices: readonly string[]) => ({
  'Content-Type': types[kind],
  'Content-Disposition': dispositionOf(`${names.join(' ')}.${kind}`),
  // A header can only have ASCII characters.
  Notices: encodeURIComponent(JSON.stringify(notices)),
});

/** Gives the name in UTF-8, and in ASCII for old browsers, as in RFC 6266 and RFC 8187. */
const dispositionOf = (name: string) => {
  const safe = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, '-');
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${safe.replaceAll(/[^ -~]/gu, '_')}"; filename*=UTF-8''${encoded}`;
};
