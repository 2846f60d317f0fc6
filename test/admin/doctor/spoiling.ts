import { gzipSync } from 'node:zlib';
import type { Asked, Reply, Spoil } from './proxy.ts';

export type Case = {
  check: string;
  what: string;
  spoil: Spoil;
  /** Of the line, what was seen and what is to be done. */
  words: RegExp;
};

export const json = (status: number, body: unknown, type = 'application/json'): Reply => ({
  status,
  headers: { 'content-type': type },
  bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

export const HTML = json(200, '<html>\u001b[31mhello</html>', 'text/html');
export const LIMITED: Reply = {
  ...json(429, { message: 'Limit Exceeded' }),
  headers: { 'content-type': 'application/json', 'retry-after': '0' },
};

export type When = (asked: Asked) => boolean;

/** Where it matters, something else is answered. */
export const instead = (when: When, reply: Reply | string): Spoil => ({
  reply: (asked, pass) => (when(asked) ? reply : pass()),
});

/** Where it matters, the service's own answer is changed on its way. */
export const changed = (when: When, change: (reply: Reply) => Reply): Spoil => ({
  reply: async (asked, pass) => {
    const reply = await pass();
    return when(asked) ? change(reply) : reply;
  },
});

export const without =
  (name: string) =>
  ({ headers: { [name]: _, ...headers }, ...reply }: Reply): Reply => ({ ...reply, headers });

export const edited =
  (edit: (body: Record<string, unknown>) => unknown) =>
  ({ bytes, ...reply }: Reply): Reply => ({
    ...reply,
    bytes: Buffer.from(JSON.stringify(edit(JSON.parse(bytes.toString())))),
  });

export const packed = ({ bytes, headers, ...reply }: Reply): Reply => ({
  ...reply,
  headers: { ...headers, 'content-encoding': 'gzip' },
  bytes: gzipSync(bytes),
});

export const always: When = () => true;
export const isStranger: When = ({ headers }) => headers.authorization === undefined;
export const isBearer: When = ({ headers }) => headers.authorization === 'Bearer x';
/** Its password is longer than those that the doctor makes up. */
export const isOwn: When = ({ headers }) => (headers.authorization ?? '').length > 60;
export const isLost: When = ({ path }) => path.endsWith('/nothing');
/** What a stranger asks is for the challenge alone. */
export const to =
  (ending: string): When =>
  (asked) =>
    asked.path.endsWith(ending) && !isStranger(asked);
export const isBatch = to('/material-stock-balance');
export const isCodes = to('/material-codes');
export const all =
  (...whens: When[]): When =>
  (asked) =>
    whens.every((when) => when(asked));
export const holds =
  (text: string): When =>
  ({ body }) =>
    body.includes(text);
export const header =
  (name: string, value: string): When =>
  ({ headers }) =>
    headers[name] === value;
export const isLarger =
  (bytes: number): When =>
  ({ body }) =>
    body.byteLength > bytes;

export const minutesOff = (minutes: number) =>
  changed(always, (reply) => ({
    ...reply,
    headers: { ...reply.headers, date: new Date(Date.now() + minutes * 60_000).toUTCString() },
  }));

export const one = (check: string, what: string, spoil: Spoil, words: RegExp): Case => ({
  check,
  what,
  spoil,
  words,
});
