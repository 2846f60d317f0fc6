import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, listen } from '../http.ts';
import { ACCOUNT, REGION } from '../stack.ts';
import { type CallRange, Disturbances } from './disturbances.ts';
import { accessDenied, type Permissions } from './permissions.ts';

/** Tests inject these faults into the functions' calls to a service. */
export type Disturbance = CallRange & {
  /** For example: dynamodb:PutItem. Without an action, all actions are disturbed. */
  action?: string;
  /** With `disconnect`, the service does not get the call. With `loseResponse`, it executes the call. */
  kind: 'throttle' | 'error' | 'delay' | 'disconnect' | 'loseResponse';
  delayMs?: number;
};

/** The access key identifies the caller. Signatures are not checked. */
export type Caller = { role: string; functionName: string };

type AwsProxyOptions = {
  callers: ReadonlyMap<string, Caller>;
  permissions: Pick<Permissions, 'allows'>;
  describe: (operation: string, body: Record<string, unknown>) => { action: string; resources: string[] };
  target: string;
  contentType: string;
};

/** Forwards the functions' calls to a service. Refuses calls that the role does not allow. */
export class AwsProxy {
  private readonly options: AwsProxyOptions;
  private readonly server = createServer((incoming, outgoing) => void this.handle(incoming, outgoing));
  readonly disturbances = new Disturbances<Disturbance>();

  constructor(options: AwsProxyOptions) {
    this.options = options;
  }

  open() {
    return listen(this.server, 0);
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async handle(incoming: IncomingMessage, outgoing: ServerResponse) {
    try {
      const body = await bodyOf(incoming);
      const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
      const { action, resources } = this.options.describe(operation, JSON.parse(body.toString() || '{}'));
      const refusal = this.refusalFor(incoming, action, resources);
      if (refusal) return this.answerError(outgoing, 400, 'AccessDeniedException', refusal);
      const disturbance = this.disturbances.next((candidate) => (candidate.action ?? action) === action);
      if (await this.disturbCall(disturbance, incoming, outgoing)) return;
      await forward(this.options.target, incoming, body, outgoing, disturbance?.kind === 'loseResponse');
    } catch {
      // The service or the caller has disconnected.
      incoming.socket.destroy();
    }
  }

  private refusalFor(incoming: IncomingMessage, action: string, resources: string[]) {
    const key = /Credential=([^/]+)\//.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
    const caller = this.options.callers.get(key);
    if (!caller) return 'The security token included in the request is invalid.';
    const refused = resources.find(
      (resource) => !this.options.permissions.allows(caller.role, action, resource),
    );
    return refused === undefined
      ? undefined
      : accessDenied(caller.role, caller.functionName, action, refused);
  }

  /** Returns true if the call must not be forwarded. */
  private async disturbCall(
    disturbance: Disturbance | undefined,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) {
    switch (disturbance?.kind) {
      case 'throttle':
        this.answerError(outgoing, 400, 'ThrottlingException', 'Rate exceeded');
        return true;
      case 'error':
        this.answerError(outgoing, 500, 'InternalServerError', 'Internal server error');
        return true;
      case 'disconnect':
        incoming.socket.destroy();
        return true;
      case 'delay':
        // `ref: false` lets the run end during the delay.
        await sleep(disturbance.delayMs ?? 1_000, undefined, { ref: false });
        return false;
      default:
        return false;
    }
  }

  private answerError(outgoing: ServerResponse, status: number, type: string, message: string) {
    outgoing.writeHead(status, { 'Content-Type': this.options.contentType });
    outgoing.end(JSON.stringify({ __type: type, message, Message: message }));
  }
}

const forward = async (
  target: string,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
  isResponseLost: boolean,
) => {
  const onward = request(target, {
    method: incoming.method ?? 'POST',
    path: incoming.url,
    headers: incoming.headers,
  });
  onward.end(body);
  const [answer]: IncomingMessage[] = await once(onward, 'response');
  if (!answer) throw new Error('The service did not answer.');
  const answerBody = await bodyOf(answer);
  if (isResponseLost) incoming.socket.destroy();
  else outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(answerBody);
};

/** Finds the tables of a call or a batch. Transactions and PartiQL name their tables elsewhere, so they are refused. */
export const describeDynamoDb = (operation: string, body: Record<string, unknown>) => {
  const names = [body['TableName'], ...Object.keys(Object(body['RequestItems']))].filter(
    (name) => typeof name === 'string',
  );
  const resources = names.map((name) => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`);
  return { action: `dynamodb:${operation}`, resources: resources.length > 0 ? resources : ['*'] };
};

export const describeSecretsManager = (operation: string, body: Record<string, unknown>) => ({
  action: `secretsmanager:${operation}`,
  resources: [String(body['SecretId'] ?? '*')],
});
