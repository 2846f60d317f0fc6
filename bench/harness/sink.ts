import { createServer } from 'node:http';
import { listen } from '../../local/http.ts';

/** In the place of a table: takes whatever it is sent, keeps nothing of it, and says at once that all is well. */
export const startSink = async () => {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      outgoing.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
    });
  });
  const endpoint = await listen(server, 0);
  return {
    endpoint,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
