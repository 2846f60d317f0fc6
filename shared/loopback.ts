import { once } from 'node:events';
import type { Server } from 'node:http';

export const LOOPBACK = '127.0.0.1';

/** Port 0 means any free port. Returns the port, or undefined if another program uses it. */
export const listenOnLoopback = async (server: Server, port: number) => {
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
};
