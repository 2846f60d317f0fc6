import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { StockState } from '../../../admin/console/api.ts';
import { type StockService, startStock } from '../../../admin/console/processes/start-stock.ts';
import { startConsole } from '../../../admin/console/server/start-console.ts';
import { openSession } from '../../../admin/deployment/session.ts';
import { eventually } from '../../support/local-run.ts';
import { descendantsOf, isRunning } from '../../support/processes.ts';

/** A session as of a local run in a folder. */
export const testSession = (data: string) => openSession({ local: true, data, stack: 'unused' });

type Headers = Record<string, string> | readonly string[];
type Request = { method?: string; headers?: Headers; body?: string | Buffer; signal?: AbortSignal };

/** Sends a request as it is, whatever its target and its headers. */
export const sendRaw = async (
  port: number,
  target: string,
  { method = 'GET', headers = {}, body, ...options }: Request = {},
) => {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path: target,
    method,
    headers,
    agent: false,
    ...options,
  });
  const responded = once(outgoing, 'response', options);
  // A refused body may not be read to its end.
  outgoing.on('error', () => {});
  outgoing.end(body);
  const [response]: IncomingMessage[] = await responded;
  if (!response) throw new Error('There is no response.');
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
};

type Options = { port?: number | undefined; stock?: StockService } & Parameters<typeof startStock>[1];

/** The console of a local run in a folder, at a free port, and a browser that has opened its address. */
export const startTestConsole = async (data: string, options: Options = {}) => {
  const session = await testSession(data);
  const { port: wanted, stock = startStock(session, options) } = { port: 0, ...options };
  const started = await startConsole(session, { port: wanted, stock });
  const { origin, port, search } = new URL(started.printedLink);
  const opened = await sendRaw(Number(port), `/${search}`);
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';');
  const send = (
    path: string,
    { headers = {}, ...others }: Request & { headers?: Record<string, string> } = {},
  ) => sendRaw(Number(port), path, { ...others, headers: { Cookie: cookie, ...headers } });
  const get = async (path: string, options: Request & { headers?: Record<string, string> } = {}) => {
    const { text, ...response } = await send(path, options);
    return { ...response, body: text === '' ? undefined : JSON.parse(text) };
  };
  const postAs = (type: string, path: string, body: string | Buffer, signal?: AbortSignal) => {
    const headers = { Origin: origin, 'Content-Type': `application/${type}` };
    return get(path, { method: 'POST', headers, body, ...(signal ? { signal } : {}) });
  };
  return {
    ...started,
    origin,
    port: Number(port),
    opened,
    cookie,
    send,
    get,
    post: (path: string, body: unknown) => postAs('json', path, JSON.stringify(body)),
    postAs,
    /** Waits until all batches are read. */
    read: () =>
      eventually(async () => {
        const { isFirstRead, share }: StockState = (await get('/api/state')).body;
        return !isFirstRead && share === 1;
      }),
  };
};

export type TestConsole = Awaited<ReturnType<typeof startTestConsole>>;

/** The processes that the consoles of this process start from now on. */
export const watchProcesses = () => {
  const processes = () => descendantsOf(process.pid).filter(({ command }) => !command.startsWith('ps '));
  const others = processes().map(({ pid }) => pid);
  return () =>
    processes()
      .map(({ pid }) => pid)
      .filter((pid) => !others.includes(pid));
};

/** Stops the process that `start` starts before it has done anything. */
export const holdAtStart = <T>(start: () => T) => {
  const children: ChildProcess[] = [];
  const keep = (message: unknown) => {
    if (message instanceof Object && 'process' in message && message.process instanceof ChildProcess)
      children.push(message.process);
  };
  subscribe('child_process', keep);
  const result = start();
  unsubscribe('child_process', keep);
  const pid = children[0]?.pid ?? 0;
  holdProcess(pid);
  return { result, pid };
};

/** Stops a process, which then neither goes on nor ends by itself, until it is killed or the test has ended. */
export const holdProcess = (pid: number | undefined) => {
  if (pid === undefined) throw new Error('There is no such process.');
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
};
