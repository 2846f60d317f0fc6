import { fork } from 'node:child_process';
import { HTTPException } from 'hono/http-exception';
import { isUnusable } from '../../stock/database/open-stock.ts';
import { type ErrorResponse, toErrorResponse } from '../error-response.ts';

type Request = { id: number; name: string; request: unknown };
type Response = { id: number; result: unknown } | { id: number; error: ErrorResponse; isUnusable?: boolean };
/** A method accepts functions of narrower requests. */
type Handler = { respond(request: unknown): unknown }['respond'];
type Handlers = Readonly<Record<string, Handler>>;

type Options = {
  execArgv?: string[];
  /** The error of requests that have no response when the process ends. */
  describeEnd: () => ErrorResponse;
  onEnd?: () => void;
  /** Called when SQLite cannot read the file. */
  onUnusable?: () => void;
  /** Gets what the process writes to its standard output. */
  onOutput?: (text: string) => void;
};

/** Starts a process whose module calls `respondToRequests`. The module gets `data` from `dataOfProcess`. */
export const startProcess = <THandlers extends Handlers>(
  file: string,
  data: object,
  { execArgv = [], describeEnd, onEnd = () => {}, onUnusable = () => {}, onOutput = () => {} }: Options,
) => {
  const child = fork(new URL(file, import.meta.url), [JSON.stringify(data)], {
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, (response: Response) => void>();
  let lastId = 0;
  let hasEnded = false;
  child.stdout?.setEncoding('utf8').on('data', onOutput);
  child.on('message', (response: Response) => waiting.get(response.id)?.(response));
  // Without a listener, an error would end the console. `close` comes after the last output, also after an error.
  child.on('error', () => {});
  child.once('close', () => {
    hasEnded = true;
    onEnd();
    for (const [id, settle] of waiting) settle({ id, error: describeEnd() });
  });

  function ask<TName extends keyof THandlers & string>(
    name: TName,
    request: Parameters<THandlers[TName]>[0],
  ): Promise<Awaited<ReturnType<THandlers[TName]>>>;
  async function ask(name: string, request: unknown): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    const { promise, resolve } = Promise.withResolvers<Response>();
    waiting.set(id, resolve);
    if (hasEnded) resolve({ id, error: describeEnd() });
    else child.send({ id, name, request } satisfies Request);
    const response = await promise;
    waiting.delete(id);
    if ('result' in response) return response.result;
    if (response.isUnusable) onUnusable();
    throw new HTTPException(response.error.status, { message: response.error.message });
  }
  return { ask, end: () => child.kill('SIGKILL') };
};

export const dataOfProcess = <TData>(): TData => JSON.parse(process.argv[2] ?? '{}');

/**
 * Responds to the requests of the process that started this one, and ends with it. `open` returns the handlers when the first
 * request needs them, which gets an error of `open`.
 */
export const respondToRequests = (open: () => Handlers) => {
  let handlers: Handlers | undefined;
  const responseTo = async ({ id, name, request }: Request): Promise<Response> => {
    try {
      handlers ??= open();
      return { id, result: await handlers[name]?.(request) };
    } catch (error) {
      return { id, error: toErrorResponse(error), isUnusable: isUnusable(error) };
    }
  };
  process.on('message', async (request: Request) => process.send?.(await responseTo(request)));
  process.once('disconnect', () => process.exit());
};
