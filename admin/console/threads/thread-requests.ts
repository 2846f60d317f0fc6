import { MessageChannel, type MessagePort, parentPort, Worker } from 'node:worker_threads';
import { HTTPException } from 'hono/http-exception';
import { isUnusable } from '../../stock/database/open-stock.ts';
import { explain } from '../../text/failure.ts';
import { type ErrorResponse, toErrorResponse } from '../error-response.ts';

type RequestMessage<TRequest> = {
  request: TRequest;
  /** Carries the response back, and a message to the thread if the request is aborted. */
  port: MessagePort;
  /** The request was aborted before it was sent. */
  isAborted: boolean;
};
type Outcome = { response: string } | { error: ErrorResponse; isUnusable: boolean };

type Options = {
  workerData: object;
  /** The message for requests that have no response when the thread ends. */
  describeEnd: (why: string) => string;
  onEnd: () => void;
  /** Called when SQLite cannot read the file. */
  onUnusable?: () => void;
};

/** With smaller heaps, the garbage of large batches is collected sooner: 200 MB less with batches of 40,000 entries. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1_024 };

/** Starts a thread that calls `respondToRequests`. */
export const startThread = <TRequest>(
  file: string,
  { workerData, describeEnd, onEnd, onUnusable = () => {} }: Options,
) => {
  const thread = new Worker(new URL(file, import.meta.url), { workerData, resourceLimits });
  const waiting = new Set<(outcome: Outcome) => void>();
  let finalOutcome: Outcome | undefined;

  const settleAll = (why: string) => {
    if (finalOutcome) return;
    finalOutcome = { error: { status: 503, message: describeEnd(why) }, isUnusable: false };
    for (const settle of waiting) settle(finalOutcome);
    onEnd();
  };
  thread.once('error', (error) => settleAll(explain(error)));
  thread.once('exit', () => settleAll('without a reason'));

  const outcomeOf = async (request: TRequest, signal: AbortSignal | undefined): Promise<Outcome> => {
    if (finalOutcome) return finalOutcome;
    const { port1: ownPort, port2: port } = new MessageChannel();
    const { promise: settled, resolve: settle } = Promise.withResolvers<Outcome>();
    const abort = () => ownPort.postMessage('abort');
    waiting.add(settle);
    ownPort.once('message', settle);
    const isAborted = signal?.aborted ?? false;
    thread.postMessage({ request, port, isAborted } satisfies RequestMessage<TRequest>, [port]);
    signal?.addEventListener('abort', abort);
    try {
      return await settled;
    } finally {
      signal?.removeEventListener('abort', abort);
      waiting.delete(settle);
      ownPort.close();
    }
  };

  return {
    /** When the signal aborts, tells the thread, and still waits for the response. */
    ask: async (request: TRequest, signal?: AbortSignal): Promise<string> => {
      const outcome = await outcomeOf(request, signal);
      if ('response' in outcome) return outcome.response;
      if (outcome.isUnusable) onUnusable();
      const { status, message } = outcome.error;
      throw new HTTPException(status, { message });
    },
    end: () => thread.terminate(),
  };
};

export type Thread<TRequest> = ReturnType<typeof startThread<TRequest>>;

/** A thread calls this. Each request starts at once, also while another request runs. An error does not end the thread. */
export const respondToRequests = <TRequest>(
  respond: (request: TRequest, signal: AbortSignal) => string | Promise<string>,
) => {
  const outcomeOf = async (request: TRequest, signal: AbortSignal): Promise<Outcome> => {
    try {
      return { response: await respond(request, signal) };
    } catch (error) {
      return { error: toErrorResponse(error), isUnusable: isUnusable(error) };
    }
  };
  parentPort?.on('message', async ({ request, port, isAborted }: RequestMessage<TRequest>) => {
    const aborting = new AbortController();
    if (isAborted) aborting.abort();
    port.once('message', () => aborting.abort());
    port.postMessage(await outcomeOf(request, aborting.signal));
  });
};
