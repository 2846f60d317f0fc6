import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
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

const BOOTSTRAP = fileURLToPath(new URL('function-bootstrap.ts', import.meta.url));

/** A process that serves one event at a time. Its start is the platform's INIT phase. */
export class FunctionInstance {
  private readonly process: ChildProcess;
  readonly readyOrEnded: Promise<void>;
  private settle: (outcome: Outcome | 'not delivered') => void = () => {};
  private isDelivered = false;
  private exitText = '';
  private requestId = '';
  private knownError: FunctionError | undefined;
  isAlive = true;

  constructor({ environment, memoryMb, log, onExit }: InstanceOptions) {
    const { NODE_COMPILE_CACHE } = process.env;
    // The argument shows the function's name in a list of processes.
    this.process = fork(BOOTSTRAP, [environment['AWS_LAMBDA_FUNCTION_NAME'] ?? ''], {
      // All processes of a function load the same code, so they share Node's compile cache.
      env: NODE_COMPILE_CACHE ? { ...environment, NODE_COMPILE_CACHE } : environment,
      execArgv: [`--max-old-space-size=${memoryMb}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // The default, JSON, would escape each event again, so a large event would block the run.
      serialization: 'advanced',
    });
    for (const output of [this.process.stdout, this.process.stderr]) {
      if (output) createInterface({ input: output }).on('line', log);
    }
    this.readyOrEnded = new Promise((resolve) => {
      this.process.on('message', (message: Message) => {
        if (message.isReady) resolve();
        else if (message.isDelivered) this.isDelivered = true;
        else if (message.requestId) this.settle(outcomeOf(message));
        else if (message.error) this.knownError = message.error;
      });
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
      this.settle = (outcome) => {
        clearTimeout(timer);
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

  private endError(): FunctionError {
    const errorMessage = `RequestId: ${this.requestId} Error: Runtime exited ${this.exitText}`;
    return this.knownError ?? { errorType: 'Runtime.ExitError', errorMessage };
  }
}

/** Says in the platform's words how a process has ended (recorded by TemplateStack). */
const describeExit = (code: number | null, signal: string | null) => {
  if (signal) return `with error: signal: ${signal === 'SIGKILL' ? 'killed' : signal}`;
  return code === 0 ? 'without providing a reason' : `with error: exit status ${code}`;
};

const outcomeOf = ({ response = 'null', error }: Message): Outcome => (error ? { error } : { response });
