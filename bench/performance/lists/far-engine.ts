import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, listen } from '../../../local/http.ts';
import { type Item, itemBytes, readUnits } from '../../harness/rules.ts';

type Distance = { callMs: number; mbMs: number };
type Answer = { status: number; body: Buffer; mb: number; units: number };

const BYTES_PER_MB = 1_048_576;

/**
 * Answers as the engine once answered to the same, after the time that a table far away would take. The engine works
 * on the same processors as who asks it, and would hide what is gained by waiting for several answers at once.
 */
export const startFarEngine = async (engine: string, { callMs, mbMs }: Distance) => {
  const answers = new Map<string, Promise<Answer>>();
  let calls = 0;
  let units = 0;

  const serve = async (sent: string, headers: IncomingHttpHeaders, outgoing: ServerResponse) => {
    const known = answers.get(sent) ?? ask(engine, sent, headers);
    answers.set(sent, known);
    const answer = await known;
    calls += 1;
    units += answer.units;
    await sleep(callMs + mbMs * answer.mb);
    outgoing.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(answer.body);
  };

  const server = createServer((incoming, outgoing) => {
    bodyOf(incoming)
      .then((sent) => serve(sent.toString(), incoming.headers, outgoing))
      .catch(() => incoming.socket.destroy());
  });
  const endpoint = await listen(server, 0);
  return {
    endpoint,
    /** Since the last time. */
    take: () => {
      const taken = { calls, units };
      [calls, units] = [0, 0];
      return taken;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** All that the engine looks at. */
const PASSED_ON = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];

const ask = async (engine: string, sent: string, headers: IncomingHttpHeaders): Promise<Answer> => {
  const answered = await fetch(engine, {
    method: 'POST',
    headers: Object.fromEntries(PASSED_ON.map((name) => [name, String(headers[name])])),
    body: sent,
  });
  const body = Buffer.from(await answered.arrayBuffer());
  const { Items = [] }: { Items?: Item[] } = JSON.parse(body.toString());
  const bytes = Items.reduce((sum, item) => sum + itemBytes(item), 0);
  return { status: answered.status, body, mb: bytes / BYTES_PER_MB, units: readUnits(bytes) };
};
