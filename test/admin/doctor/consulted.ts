import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Order, runDoctor, type Surroundings } from '../../../admin/doctor/doctor.ts';

type Asked = Partial<Order> & Pick<Order, 'baseUrl'>;

export type Consulted = { isWell: boolean; lines: string[]; said: string[] };

/** The doctor's visit in this process, with the lines that it printed. */
export const consulted = async (order: Asked, around: Partial<Surroundings> = {}): Promise<Consulted> => {
  const lines: string[] = [];
  const said: string[] = [];
  const isWell = await runDoctor(
    {
      client: 'warehouse',
      username: 'warehouse',
      password: 'secret',
      isAnyClientRight: true,
      isJson: false,
      ...order,
    },
    {
      print: (text) => lines.push(text),
      say: (text) => said.push(text),
      now: Date.now,
      timeLimitMs: 20_000,
      ...around,
    },
  );
  return { isWell, lines, said };
};

const LINE = /^(ok|WRONG|note|-) +(\S+) +(.+)$/;

/** What is told of what was written: all that comes after the summary. */
export const accountOf = ({ lines }: Pick<Consulted, 'lines'>) =>
  lines.slice(1 + lines.findIndex((line) => line.endsWith(' not tried.')));

/** What was said of each check. */
export const verdicts = ({ lines }: Pick<Consulted, 'lines'>) =>
  new Map(
    lines.flatMap((line) => {
      const [, state = '', name = '', words = ''] = LINE.exec(line) ?? [];
      return name === '' ? [] : [[name, { state, words, line }] as const];
    }),
  );

export const answerOf = (status: number, body: string | Buffer, type = 'application/json', more = '') =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status} Status\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n`,
    ),
    Buffer.from(body),
  ]);

/** A server that answers each connection with these bytes, or not at all, and does not look at what it is asked. */
export const startBlindServer = async (
  bytes: string | Buffer | undefined,
  { stays = false, onAsked = () => {} } = {},
) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
    socket.once('data', onAsked);
    if (bytes !== undefined) socket.write(bytes);
    if (!stays) socket.once('data', () => void sleep(2).then(() => socket.end()));
    sockets.add(socket);
  });
  const sockets = new Set<{ destroy(): unknown }>();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/live`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
