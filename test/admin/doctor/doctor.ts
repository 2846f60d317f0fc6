import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checks } from '../../../admin/doctor/checks/all.ts';
import { type DoctorContext, type DoctorOptions, runDoctor } from '../../../admin/doctor/run-doctor.ts';
import { listen } from '../../../local/http.ts';
import { runProgram } from '../command.ts';

export const CHECK_NAMES = checks.map(({ name }) => name);

const RESULT_LINE = /^(ok|WRONG|note|-) +(\S+) +(.+)$/;

const readResults = (lines: readonly string[]) =>
  new Map(
    lines.flatMap((line) => {
      const [, state = '', name = '', seen = ''] = RESULT_LINE.exec(line) ?? [];
      return name === '' ? [] : [[name, { state, seen, line }] as const];
    }),
  );

/** Runs the doctor in this process, and reads the lines that it prints. */
export const diagnose = async (
  options: Partial<DoctorOptions> & Pick<DoctorOptions, 'baseUrl'>,
  context: Partial<DoctorContext> = {},
) => {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const { signal: interrupted } = new AbortController();
  const isWell = await runDoctor(
    { client: 'warehouse', username: 'warehouse', password: 'secret', json: false, ...options },
    { print, say: print, now: Date.now, timeLimitMs: 20_000, interrupted, ...context },
  );
  const summaryAt = lines.findIndex((line) => line.endsWith(' not tried.'));
  const written = lines.slice(summaryAt + 1);
  return { isWell, lines, written, results: readResults(lines), text: lines.join('\n') };
};

type Bytes = string | Buffer | undefined;

/** Runs the doctor against a server that sends the same bytes for every request. */
export const diagnoseBlindServer = async (
  bytes: Bytes,
  options: Partial<DoctorOptions> = {},
  context: Partial<DoctorContext> = {},
) => {
  const server = await startBlindServer(bytes, { staysOpen: context.timeLimitMs !== undefined });
  try {
    return await diagnose({ baseUrl: server.baseUrl, ...options }, context);
  } finally {
    await server.stop();
  }
};

export const startBlindServer = async (bytes: Bytes, { staysOpen = false, onRequest = () => {} } = {}) => {
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createServer();
  server.removeAllListeners('connection').on('connection', (socket) => {
    socket.on('error', () => {});
    socket.resume();
    socket.once('data', onRequest);
    if (bytes !== undefined) socket.write(bytes);
    if (!staysOpen) socket.once('data', () => void sleep(2).then(() => socket.end()));
    sockets.add(socket);
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

export const httpResponse = (status: number, body: string | Buffer, headers: Record<string, string> = {}) => {
  const lines = Object.entries({ 'Content-Length': Buffer.byteLength(body), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${head}\r\n`), Buffer.from(body)]);
};

const PIECE_LENGTH = 8;

/** Where a text contains a piece of a secret; as positions, so that no test report repeats the secret. */
export const secretPiecesIn = (text: string, secret: string) =>
  [...Array(Math.max(1, secret.length - PIECE_LENGTH + 1)).keys()].filter((at) =>
    text.includes(secret.slice(at, at + PIECE_LENGTH)),
  );

const MAIN = fileURLToPath(new URL('../../../admin/doctor/main.ts', import.meta.url));

export const doctorLine = (args: string[]) => [process.execPath, MAIN, ...args];

/** Runs the doctor as a process. */
export const spawnDoctor = (args: string[], input = '', env: Record<string, string> = {}) =>
  runProgram(doctorLine(args), { input, env });
