import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { StartupError } from './startup-error.ts';

export const LOOPBACK = '127.0.0.1';

export const bodyOf = async (message: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
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
