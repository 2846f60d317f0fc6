import { type ChildProcess, fork } from 'node:child_process';
import { flushCompileCache } from 'node:module';
import { HTTPException } from 'hono/http-exception';
import { isUnusable } from '../../stock/database/open-stock.ts';
import { type Reader, reader } from '../../text/reader.ts';
import { writeFor } from '../../text/write-for.ts';
import { type ErrorResponse, toErrorResponse } from '../error-response.ts';
import type { ProcessData } from '../queries/write-download.ts';

type Request = { id: number; name: string; request: unknown; reader: Reader };
type Response = { id: number; result: unknown } | { id: number; error: ErrorResponse; isUnusable?: boolean };
/** A method accepts functions of narrower requests. */
type Handler = { respond(request: unknown): unknown }['respond'];
type Handlers = Readonly<Record<string, Handler>>;

type Options = {
  execArgv?: string[] | undefined;
  /** The error of requests that have no response when the process ends. */
  ended: ErrorResponse;
  onUnusable?: () => void;
  /** Gets the memory that the process takes, if the process reports it. */
  onMemory?: (bytes: number) => void;
};

/** The memory that one process may take. */
export const MAX_BYTES = 2 ** 30;

/** A process whose module calls `respondToRequests`. It starts with a request, also after it has ended. */
export const createProcess = <THandlers extends Handlers>(
  module: string,
  data: ProcessData,
  { execArgv = [], ended, onUnusable, onMemory }: Options,
) => {
  let child: ChildProcess | undefined;
  let error = ended;
  let lastId = 0;
  const waiting = new Map<number, (response: Response) => void>();

  const start = () => {
    const started = fork(new URL(module, import.meta.url), [JSON.stringify(data)], {
      execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    started.stdout?.setEncoding('utf8').on('data', (reports: string) => {
      onMemory?.(Number(reports.trim().split('\n').at(-1)));
    });
    started.on('message', (response: Response) => waiting.get(response.id)?.(response));
    // Without a listener, an error would end the console. `close` comes after the last output, also after an error.
    started.on('error', () => {});
    started.once('close', () => {
      child = undefined;
      for (const [id, settle] of waiting) settle({ id, error });
    });
    return started;
  };

  function ask<TName extends keyof THandlers & string>(
    name: TName,
    request: Parameters<THandlers[TName]>[0],
  ): Promise<Awaited<ReturnType<THandlers[TName]>>>;
  async function ask(name: string, request: unknown): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    const { promise, resolve } = Promise.withResolvers<Response>();
    waiting.set(id, resolve);
    child ??= start();
    child.send({ id, name, request, reader: reader() } satisfies Request);
    const response = await promise;
    waiting.delete(id);
    if ('result' in response) return response.result;
    if (response.isUnusable) onUnusable?.();
    throw new HTTPException(response.error.status, { message: response.error.message });
  }

  /** Kills the process. Its requests get the reason. */
  const end = (reason = ended) => {
    error = reason;
    child?.kill('SIGKILL');
  };
  return { ask, end };
};

export const readProcessData = (): ProcessData => JSON.parse(process.argv[2] ?? '{}');

/** Responds to the requests of the process that started this one, and ends with it. */
export const respondToRequests = (handlers: Handlers) => {
  const responseTo = async ({ id, name, request }: Request): Promise<Response> => {
    try {
      return { id, result: await handlers[name]?.(request) };
    } catch (error) {
      return { id, error: toErrorResponse(error), isUnusable: isUnusable(error) };
    }
  };
  process.on('message', async (request: Request) => {
    const response = await writeFor(request.reader, () => responseTo(request));
    // Writes the cache now, because most processes are killed and cannot write it when they end.
    flushCompileCache();
    process.send?.(response);
  });
  process.once('disconnect', () => process.exit());
};
