import { Agent, request } from 'node:http';

export type Sent = { method: string; url: string; headers: Record<string, string>; body?: string };

/** One request on a connection that is kept; the answer is read to its end. */
const sendOn = (agent: Agent, { method, url, headers, body }: Sent) =>
  new Promise<number>((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const outgoing = request(url, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', reject);
      answer.resume();
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/** So many connections, each of which sends as soon as it is answered. Answers the times; any answer but 200 is an error. */
export const load = async (next: () => Sent, connections: number, forMs: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const times: number[] = [];
  const connection = async () => {
    while (performance.now() - started < forMs) {
      const sentAt = performance.now();
      const status = await sendOn(agent, next());
      if (status !== 200) throw new Error(`A request was answered with ${status}.`);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
  return { times, tookMs: performance.now() - started };
};
