import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StartupError } from './startup-error.ts';

export const LOOPBACK = '127.0.0.1';

export const bodyOf = async (message: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
};

export type Reply = { status: number; headers?: Record<string, string>; body?: string | Buffer };

/** Returns the reply to a request. Without one, and after an error, the connection ends. */
type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<Reply | undefined>;

export const openServer = async (answer: Answer, port = 0) => {
  const server = createServer(async (incoming, outgoing) => {
    const reply = await answer(incoming, outgoing).catch(() => undefined);
    if (reply) outgoing.writeHead(reply.status, reply.headers).end(reply.body);
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
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`;
    throw new StartupError(`Port ${port} ${reason}. Choose another with --port.`);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://${LOOPBACK}:${address.port}`;
};

/** Returns the port, or a free one for 0. Throws if another program listens on it. */
export const freePort = async (port = 0) => {
  const server = createServer();
  const address = await listen(server, port);
  server.close();
  return Number(new URL(address).port);
};
