import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createServer as createTlsServer } from 'node:tls';
import { LOOPBACK } from '../../local/http.ts';
import { selfSigned } from '../../test/admin/doctor/certificate.ts';

/**
 * The engine as far away as a table is: behind TLS, and everything takes `delayMs` each way. The delay is put on the
 * bytes below TLS, so that its handshake takes the round trips that it takes.
 */
export const startDistantStore = async (engine: string, delayMs: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'distant-store-'));
  const certificateFile = join(folder, 'certificate.pem');
  const { cert, key } = selfSigned(1);
  writeFileSync(certificateFile, cert);

  const sockets = new Set<Socket>();
  const joined = joiner(sockets);

  /** By the port that tells both ends of a connection from others. */
  const openedAt = new Map<number, number>();
  let connectionsMs: number[] = [];
  const tls = createTlsServer({ cert, key, noDelay: true }, (secure) => {
    secure.once('data', () => {
      const opened = openedAt.get(secure.remotePort ?? 0) ?? Number.NaN;
      connectionsMs.push(performance.now() - opened - delayMs);
    });
    const toEngine = connect({ port: Number(new URL(engine).port), host: LOOPBACK, noDelay: true });
    joined(secure, toEngine);
    secure.pipe(toEngine).pipe(secure);
  });
  const tlsPort = await portOf(tls);

  const far = createServer({ noDelay: true }, (near) => {
    const toTls = connect({ port: tlsPort, host: LOOPBACK, noDelay: true });
    const now = performance.now();
    toTls.once('connect', () => openedAt.set(toTls.localPort ?? 0, now));
    joined(near, toTls);
    // A distant host would have accepted the connection a round trip later.
    passLater(near, toTls, delayMs, now + 2 * delayMs);
    passLater(toTls, near, delayMs);
  });
  const port = await portOf(far);

  return {
    endpoint: `https://${LOOPBACK}:${port}`,
    certificateFile,
    /** Of each connection since the last time: how much later a first request arrived than over one that stands. */
    takeConnections: () => {
      const taken = connectionsMs;
      connectionsMs = [];
      return taken;
    },
    stop: () => {
      for (const server of [far, tls]) server.close();
      for (const socket of sockets) socket.destroy();
      rmSync(folder, { recursive: true });
    },
  };
};

/** What ends or fails on one side ends on the other; the set holds what is open. */
const joiner = (sockets: Set<Socket>) => (one: Socket, other: Socket) => {
  const closes = (socket: Socket, end: Socket) => {
    sockets.add(socket);
    socket.on('error', () => end.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      end.destroy();
    });
  };
  closes(one, other);
  closes(other, one);
};

/** What is due is written in the order of its arrival, whichever timer fires first. */
const passLater = (from: Socket, to: Socket, delayMs: number, openFrom = 0) => {
  const waiting: Buffer[] = [];
  from.on('data', (chunk) => {
    waiting.push(chunk);
    const untilOpenMs = Math.max(0, Math.ceil(openFrom - performance.now()));
    setTimeout(() => to.write(waiting.shift() ?? ''), untilOpenMs + delayMs);
  });
};

const portOf = async (server: Server) => {
  await once(server.listen(0, LOOPBACK), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
};
