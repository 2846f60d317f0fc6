import { once } from 'node:events';
import { createServer } from 'node:http';
import { askFacts, type Examination, type Fact } from '../../doctor/fact.ts';
import { quickFacts } from '../../doctor/facts/quick-facts.ts';
import type { Service } from '../../doctor/http/client.ts';
import { listen } from '../../local/http.ts';

type Options = Partial<Omit<Examination, 'service'>> & { facts?: readonly Fact[]; only?: readonly string[] };

/** Asks these facts, and returns the results. */
export const examine = (service: Partial<Service>, { facts = quickFacts, only, ...limits }: Options = {}) => {
  const asked = facts.filter(({ name }) => only?.includes(name) ?? true);
  const { signal: interrupted } = new AbortController();
  const complete = { baseUrl: '', client: 'doctor', username: 'doctor', password: 'secret', ...service };
  return Array.fromAsync(askFacts(asked, { service: complete, timeLimitMs: 60_000, interrupted, ...limits }));
};

type Bytes = string | Buffer | undefined;

/** A server that sends the same bytes for every request, and then ends the connection. */
export const startBlindServer = async (bytes: Bytes, { staysOpen = false, onRequest = () => {} } = {}) => {
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createServer();
  server.removeAllListeners('connection').on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      onRequest();
      if (bytes !== undefined) socket.write(bytes);
      if (!staysOpen) socket.end();
    });
  });
  return {
    baseUrl: `${await listen(server, 0)}/live`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

export const httpResponse = (status: number, body: string, headers: Record<string, string> = {}) => {
  const lines = Object.entries({ 'Content-Length': Buffer.byteLength(body), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} Status\r\n${head}\r\n${body}`;
};
