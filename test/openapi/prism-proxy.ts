import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Exchange } from '../clients/wire-tap.ts';
import { npmTool } from './tools.ts';

/** The status of the response, if there was one, and the kind of error if Prism itself refused the request or the response. */
export type Verdict = { status: number | undefined; error: string | undefined; text: string };

/** Starts Prism's proxy, which refuses requests and responses that differ from the document. */
export const startPrism = async (document: string, baseUrl: string) => {
  const args = ['proxy', document, baseUrl, '--errors', '--host', '127.0.0.1', '--port', '0'];
  const [command, ...script] = npmTool('prism');
  // Prism writes a stack trace for each request that it cannot parse.
  const prism = spawn(command, [...script, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const port = await new Promise<number>((resolve, reject) => {
    prism.on('exit', () => reject(new Error('Prism did not start.')));
    // All lines are read, because a full pipe would stop Prism.
    createInterface(prism.stdout).on('line', (line) => {
      const [, started] = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
      if (started) resolve(Number(started));
    });
  });
  const { pathname } = new URL(baseUrl);
  return {
    /** Sends a recorded request again. Prism has the paths of the document, without the path of the base URL. */
    replay: ({ head, body }: Exchange['request']) =>
      exchange(port, head.replace(` ${pathname}/`, ' /').replace(/\r\n\r\n$/, CLOSE), body),
    stop: async () => {
      if (prism.exitCode !== null || prism.signalCode !== null) return;
      prism.kill();
      await once(prism, 'exit');
    },
  };
};

const CLOSE = '\r\nConnection: close\r\n\r\n';

const exchange = async (port: number, head: string, body: Buffer): Promise<Verdict> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(head, 'latin1');
  socket.write(body);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // Prism refuses a body over 10 MB before it has read it, which ends the writing with an error.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.on('close', resolve));
  const received = Buffer.concat(chunks).toString();
  const text = received.replace(/^HTTP\/1\.1 100 [\s\S]*?\r\n\r\n/, '');
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  const [, error] = /https:\/\/stoplight\.io\/prism\/errors#(\w+)/.exec(text) ?? [];
  return { status: status === undefined ? undefined : Number(status), error, text };
};
