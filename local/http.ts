import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LOOPBACK, listenOnLoopback } from '../shared/loopback.ts';
import { StartupError } from './startup-error.ts';

/** Always reads the whole body. Returns undefined if the body exceeds the limit. */
export const readBody = async (incoming: IncomingMessage, maxBytes: number) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.byteLength;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
};

export type HttpResponse = { status: number; headers?: Record<string, string>; body?: string | Buffer };

/** Returns the response to a request. If it returns no response or throws, the connection ends. */
type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<HttpResponse | undefined>;

export const openServer = async (respond: Respond, port = 0) => {
  const server = createServer(async (incoming, outgoing) => {
    const response = await respond(incoming, outgoing).catch(() => undefined);
    if (response) outgoing.writeHead(response.status, response.headers).end(response.body);
    else incoming.socket.destroy();
  });
  return { endpoint: await listen(server, port), close: () => close(server) };
};

/** Ends the server and all its connections. */
export const close = (server: Server) => {
  server.close();
  server.closeAllConnections();
};

/** Listens on loopback only. Port 0 means any free port. */
export const listen = async (server: Server, port: number) => {
  const refuse = (reason: string) => new StartupError(`Port ${port} ${reason}. Choose another with --port.`);
  const boundPort = await listenOnLoopback(server, port).catch((error: unknown) => {
    throw refuse(`cannot be opened (${Object(error).code})`);
  });
  if (boundPort === undefined) throw refuse('is in use');
  return `http://${LOOPBACK}:${boundPort}`;
};

/** Returns the port, or a free port for 0. Throws if another program listens on the port. */
export const findFreePort = async (port = 0) => {
  const server = createServer();
  const endpoint = await listen(server, port);
  server.close();
  return Number(new URL(endpoint).port);
};
