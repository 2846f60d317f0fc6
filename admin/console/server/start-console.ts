import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { listenOnLoopback } from '../../../shared/loopback.ts';
import type { Session } from '../../deployment/session.ts';
import { Failure } from '../../text/failure.ts';
import type { StockService } from '../processes/start-stock.ts';
import { createAccess } from './access.ts';
import { consoleApp } from './console-app.ts';

/** Fixed, so that colleagues can share the addresses of pages. */
const DEFAULT_PORT = 3_400;

/** The times are short, because only this machine sends requests. The address of a request contains the query that a person wrote. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 60_000, maxHeaderSize: 1024 * 1024 };

/** The console waits this long for slow writes before it ends. Without a network, a write would take minutes. */
const WRITES_END_WITHIN_MS = 10_000;

type Options = {
  port?: number | undefined;
  isReadOnly?: boolean | undefined;
  /** Ends with the console. */
  stock: StockService;
};

export const startConsole = async (session: Session, { port, isReadOnly = false, stock }: Options) => {
  const server = createServer(LIMITS);
  const listening = listen(server, port).catch(async (error: unknown) => {
    // The stock's processes would keep this process alive.
    await stock.end();
    throw error;
  });
  const { guards, ...addresses } = createAccess(await listening);
  const ending = new AbortController();
  const { fetch } = consoleApp(session, { guards, isReadOnly, ending: ending.signal, stock });
  const respond = getRequestListener(fetch, { overrideGlobalObjects: false });
  const writes = new Set<Promise<void>>();
  server.on('request', async (incoming, outgoing) => {
    const responded = respond(incoming, outgoing);
    if (incoming.method !== 'POST') return;
    writes.add(responded);
    await responded;
    writes.delete(responded);
  });
  return {
    ...addresses,
    /** Waits for writes, so that the page can show their result. */
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      ending.abort();
      await Promise.race([Promise.all(writes), sleep(WRITES_END_WITHIN_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await stock.end();
      await closed;
    },
  };
};

const listen = async (server: Server, wanted: number | undefined): Promise<number> => {
  const port = await listenOnLoopback(server, wanted ?? DEFAULT_PORT);
  if (port !== undefined) return port;
  if (wanted === undefined) return listen(server, 0);
  throw new Failure(`Port ${wanted} is in use. Choose another port with --port.`);
};
