import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

type Message = {
  /** The first line and all headers, byte for byte. */
  head: string;
  /** The keys are in lower case. */
  headers: Record<string, string>;
  body: Buffer;
};

export type Exchange = { request: Message; status: number; answer: Message };

type Connection = { sent: string; answered: string; bodiesHeldBack: number };

/** Copies every byte between a client and the service. A proxy would change the bytes. */
export const startWireTap = async (baseUrl: string) => {
  const service = new URL(baseUrl);
  const connections: Connection[] = [];
  const server = createServer((client) => {
    const connection = { sent: '', answered: '', bodiesHeldBack: 0 };
    connections.push(connection);
    const upstream = connect(Number(service.port), service.hostname);
    pass(client, upstream, (text) => {
      connection.sent += text;
    });
    pass(upstream, client, (text) => {
      if (text.startsWith(CONTINUE) && connection.sent.endsWith(HEAD_END)) connection.bodiesHeldBack += 1;
      connection.answered += text;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The wire tap has no port.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}${service.pathname}`,
    stop: () => server.close(),
    recording: () => ({
      connections: connections.length,
      exchanges: connections.flatMap(exchangesOf),
      /** The number of bodies that the client sent only after 100 Continue. */
      bodiesHeldBack: connections.reduce((sum, { bodiesHeldBack }) => sum + bodiesHeldBack, 0),
    }),
  };
};

export type Recording = ReturnType<Awaited<ReturnType<typeof startWireTap>>['recording']>;

/** In Latin-1, one character is one byte. */
const BYTES = 'latin1';
const HEAD_END = '\r\n\r\n';
const CONTINUE = 'HTTP/1.1 100 ';

const pass = (from: Socket, to: Socket, onText: (text: string) => void) => {
  from.on('data', (chunk) => onText(chunk.toString(BYTES)));
  from.on('error', () => to.destroy());
  from.pipe(to);
};

const exchangesOf = ({ sent, answered }: Connection): Exchange[] => {
  const requests = messagesIn(sent, /[A-Z]+ \S+ HTTP\/1\.\d\r\n(?:[^\r\n]+\r\n)*\r\n/g);
  const answers = messagesIn(answered, /HTTP\/1\.1 \d{3} [^\r\n]+\r\n(?:[^\r\n]+\r\n)*\r\n/g);
  const finalAnswers = answers.filter(({ head }) => !head.startsWith(CONTINUE));
  return requests.flatMap((request, index) => {
    const answer = finalAnswers[index];
    return answer ? [{ request, status: Number(answer.head.split(' ')[1]), answer }] : [];
  });
};

const messagesIn = (text: string, heads: RegExp): Message[] => {
  const found = [...text.matchAll(heads)];
  return found.map(({ 0: head, index }, at) => ({
    head,
    headers: headersIn(head),
    body: Buffer.from(text.slice(index + head.length, found[at + 1]?.index), BYTES),
  }));
};

const headersIn = (head: string) => {
  const headers = [...head.matchAll(/^([^:\r\n]+): *([^\r\n]*)\r$/gm)];
  return Object.fromEntries(headers.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
};
