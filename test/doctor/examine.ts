import { createServer, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { type CheckOptions, checkFacts, type Facts } from '../../doctor/fact.ts';
import { quickFacts } from '../../doctor/facts/quick-facts.ts';
import type { Login } from '../../doctor/http/caller.ts';
import { type HttpResponse, listen, openServer } from '../../local/http.ts';

export const quickNames = Object.keys(quickFacts);

type Options = Partial<Omit<CheckOptions, 'login'>> & { facts?: Facts; only?: readonly string[] };

/** Asks these facts, and returns the results. */
export const examine = (login: Partial<Login>, { facts = quickFacts, only, ...limits }: Options = {}) => {
  const asked = Object.entries(facts).filter(([name]) => only?.includes(name) ?? true);
  const { signal: interrupted } = new AbortController();
  const complete = { baseUrl: '', client: 'doctor', userName: 'doctor', password: 'secret', ...login };
  const examination = { login: complete, timeLimitMs: 60_000, interrupted, ...limits };
  return Array.fromAsync(checkFacts(Object.fromEntries(asked), examination));
};

export const examineFact = async (fact: string, facts: Facts, login: Partial<Login> = {}) => {
  const [result] = await examine(login, { facts, only: [fact] });
  return result;
};

/** Returns the base URL of a server that runs until the test ends. */
export const serve = async (respond: (incoming: IncomingMessage) => HttpResponse | Promise<HttpResponse>) => {
  const { endpoint, close } = await openServer(async (incoming) => respond(incoming));
  onTestFinished(close);
  return endpoint;
};

/** Returns the base URL of a server that sends the same bytes for every request, and then ends the connection. */
export const startBlindServer = async (
  bytes: string | undefined,
  { staysOpen = false, onRequest = () => {} } = {},
) => {
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
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `${await listen(server, 0)}/live`;
};

export const httpResponse = (status: number, body: string) =>
  `HTTP/1.1 ${status} Status\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
