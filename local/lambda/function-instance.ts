import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FunctionError, Invocation } from './function-bootstrap.ts';

/** The result of an invocation: JSON text, or the error that the platform would report. */
export type Outcome = { response: string } | { error: FunctionError; isThrottled?: true };

type Message = {
  isReady?: true;
  isDelivered?: true;
  requestId?: string;
  response?: string;
  error?: FunctionError;
};

type InstanceOptions = {
  environment: Record<string, string>;
  memoryMb: number;
  log: (line: string) => void;
  onExit: (instance: FunctionInstance) => void;
};

const WATCH_MEMORY_EVERY_MS = 100;

const BOOTSTRAP = fileURLToPath(new URL('function-bootstrap.ts', import.meta.url));

/** A process that serves one event at a time. Its start is the platform's INIT phase. */
export class FunctionInstance {
  private readonly process: ChildProcess;
  private readonly memoryMb: number;
  readonly readyOrEnded: Promise<void>;
  private settle: (outcome: Outcome | 'not delivered') => void = () => {};
  private isDelivered = false;
  private exitText = '';
  private requestId = '';
  private knownError: FunctionError | undefined;
  isAlive = true;

  constructor({ environment, memoryMb, log, onExit }: InstanceOptions) {
    this.memoryMb = memoryMb;
    const { NODE_COMPILE_CACHE } = process.env;
    // The argument shows the function's name in a list of processes.
    this.process = fork(BOOTSTRAP, [environment['AWS_LAMBDA_FUNCTION_NAME'] ?? ''], {
      // All processes of a function load the same code, so they share Node's compile cache.
      env: NODE_COMPILE_CACHE ? { ...environment, NODE_COMPILE_CACHE } : environment,
      // Where a process has this memory, Node itself gives half of it to the heap (measured with Node 24 in a cgroup).
      execArgv: [`--max-old-space-size=${Math.floor(memoryMb / 2)}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // The default, JSON, would escape each event again, so a large event would block the run.
      serialization: 'advanced',
    });
    for (const output of [this.process.stdout, this.process.stderr]) {
      if (output) createInterface({ input: output }).on('line', log);
    }
    this.readyOrEnded = new Promise((resolve) => {
      this.process.on('message', (message: Message) => this.receive(message, resolve));
      // `close` comes after the last output, so that the log is complete.
      this.process.on('close', (code, signal) => {
        this.isAlive = false;
        this.exitText = describeExit(code, signal);
        resolve();
        this.settle(this.isDelivered ? { error: this.endError() } : 'not delivered');
        onExit(this);
      });
    });
  }

  private receive(message: Message, markReady: () => void) {
    if (this.endOverMemory()) return;
    if (message.isReady) markReady();
    else if (message.isDelivered) this.isDelivered = true;
    else if (message.requestId) this.settle(outcomeOf(message));
    else if (message.error) this.knownError = message.error;
  }

  /** If the process ends before it gets the event, the event is not delivered. Another process can serve the event. */
  async serve(event: string, timeoutMs: number): Promise<Outcome | 'not delivered'> {
    const requestId = randomUUID();
    this.requestId = requestId;
    if (!this.isAlive) return { error: this.endError() };
    return new Promise<Outcome | 'not delivered'>((resolve) => {
      const timer = setTimeout(() => {
        const seconds = (timeoutMs / 1_000).toFixed(2);
        const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
        this.knownError = { errorType: 'Sandbox.Timedout', errorMessage };
        this.stop();
      }, timeoutMs);
      const watch = setInterval(() => this.endOverMemory(), WATCH_MEMORY_EVERY_MS);
      this.settle = (outcome) => {
        clearTimeout(timer);
        clearInterval(watch);
        resolve(outcome);
      };
      this.isDelivered = false;
      // An error means that the process is ending. `close` then settles the invocation, so the callback ignores the error.
      this.process.send({ requestId, event, timeoutMs } satisfies Invocation, () => {});
    });
  }

  /** Ends the process as if it had ended with an event. */
  async kill(): Promise<Outcome> {
    this.requestId = randomUUID();
    if (this.isAlive) {
      this.stop();
      await once(this.process, 'close');
    }
    return { error: this.endError() };
  }

  stop() {
    this.isAlive = false;
    this.process.kill('SIGKILL');
  }

  /** Ends a process that has used more memory than its function has. Without an event, the next event gets the error. */
  private endOverMemory() {
    const isOver = mostMemoryMb(this.process) > this.memoryMb;
    if (isOver) {
      this.isDelivered = true;
      this.stop();
    }
    return isOver;
  }

  private endError(): FunctionError {
    const errorMessage = `RequestId: ${this.requestId} Error: Runtime exited ${this.exitText}`;
    return this.knownError ?? { errorType: 'Runtime.ExitError', errorMessage };
  }
}

/** The most memory that a process has had. Only Linux shows it, so elsewhere only the heap has a limit. */
const mostMemoryMb = ({ pid }: ChildProcess) => {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

/** V8 aborts a process whose heap is full. */
const SIGNAL_WORDS = new Map([
  ['SIGKILL', 'killed'],
  ['SIGABRT', 'aborted'],
]);

/** Says in the platform's words how a process has ended (recorded on AWS by LocalStack). */
const describeExit = (code: number | null, signal: string | null) => {
  if (signal) return `with error: signal: ${SIGNAL_WORDS.get(signal) ?? signal}`;
  return code === 0 ? 'without providing a reason' : `with error: exit status ${code}`;
};

const outcomeOf = ({ response = 'null', error }: Message): Outcome => (error ? { error } : { response });
