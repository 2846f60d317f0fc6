import { createServer } from 'node:http';
import { bodyOf, listen } from '../../local/http.ts';

/** Passes calls of the platform's JSON services on, and tells which actions they were. */
export const startRecorder = async (target: string) => {
  const actions: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const action = String(incoming.headers['x-amz-target']);
    actions.push(action.split('.')[1] ?? action);
    const { host: _, connection: __, ...headers } = incoming.headers;
    const answer = await fetch(target, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(await bodyOf(incoming)),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    outgoing.writeHead(answer.status, { 'Content-Type': type });
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  return { endpoint: await listen(server, 0), actions, close: () => server.close() };
};
