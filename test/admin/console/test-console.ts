import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { readStockState } from '../../../admin/console/queries/read-state.ts';
import { respond } from '../../../admin/console/queries/stock-requests.ts';
import { startConsole } from '../../../admin/console/server/start-console.ts';
import { createClientEdits } from '../../../admin/console/threads/client-edits.ts';
import { createListEdits } from '../../../admin/console/threads/list-edits.ts';
import type { StockService } from '../../../admin/console/threads/start-stock-threads.ts';
import { openSession, type Session } from '../../../admin/deployment/session.ts';
import { readRows } from '../../../admin/lists/files/read-rows.ts';
import { openStock } from '../../../admin/stock/database/open-stock.ts';
import { createLoader } from '../../../admin/stock/loading/load-stock.ts';
import { explain } from '../../../admin/text/failure.ts';

/** A session as of a local run in a folder. */
export const testSession = (data: string) => openSession({ local: true, data, stack: 'unused' });

type Headers = Record<string, string> | readonly string[];
type Request = { method?: string; headers?: Headers; body?: string | Buffer };

/** Sends a request as it is, whatever its target and its headers. */
export const sendRaw = async (
  port: number,
  target: string,
  { method = 'GET', headers = {}, body }: Request = {},
) => {
  const outgoing = request({ host: '127.0.0.1', port, path: target, method, headers, agent: false });
  // A refused body may not be read to its end.
  outgoing.on('error', () => {});
  outgoing.end(body);
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (!response) throw new Error('There is no response.');
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
};

/** The stock in memory and in this thread, which costs less than threads. Each request reads the service first. */
const stockHere = (session: Session): StockService => {
  const stock = openStock(':memory:');
  const load = createLoader(stock);
  const read = () =>
    load({ ...session, now: new Date() }).then(
      () => ({}),
      (error: unknown) => ({ failure: explain(error) }),
    );
  return {
    ask: async (request) => {
      await read();
      return respond(stock.db, request);
    },
    readState: async () => {
      const failed = await read();
      return { ...readStockState(stock.db), ...failed };
    },
    readNow: async () => {},
    readAtNextRequest: () => {},
    openDownload: async () => {
      throw new Error('Only the real stock writes files.');
    },
    runQuery: async () => {
      throw new Error('Only the real stock runs queries that a person wrote.');
    },
    readOrChangeClients: createClientEdits(async () => session),
    planOrWrite: createListEdits(
      async () => session,
      ({ bytes, list, options }) => readRows(bytes, list, options),
    ),
    end: async () => {},
  };
};

type Options = Partial<Parameters<typeof startConsole>[1]>;

/** The console at a free port, and a browser that has opened its address. */
export const startTestConsole = async (
  session: Awaited<ReturnType<typeof testSession>>,
  { stock = stockHere(session), ...options }: Options = {},
) => {
  const started = await startConsole(session, { port: 0, stock, ...options });
  const { origin, port, search } = new URL(started.printedLink);
  const opened = await sendRaw(Number(port), `/${search}`);
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';');
  const send = (
    path: string,
    { headers = {}, ...others }: Request & { headers?: Record<string, string> } = {},
  ) => sendRaw(Number(port), path, { ...others, headers: { Cookie: cookie, ...headers } });
  return {
    ...started,
    origin,
    port: Number(port),
    opened,
    cookie,
    send,
    get: async (path: string, headers: Record<string, string> = {}) => {
      const { text, ...response } = await send(path, { headers });
      return { ...response, body: text === '' ? undefined : JSON.parse(text) };
    },
    post: async (path: string, body: unknown) => {
      const headers = { Origin: origin, 'Content-Type': 'application/json' };
      const { text, ...response } = await send(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { ...response, body: JSON.parse(text) };
    },
  };
};

export type TestConsole = Awaited<ReturnType<typeof startTestConsole>>;
