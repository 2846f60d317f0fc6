import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, listen } from '../http.ts';
import { ACCOUNT, REGION } from '../stack.ts';
import { accessDenied, type Permissions } from './permissions.ts';

/** What can be made to happen to calls on their way from a function to a service. */
export type Disturbance = {
  /** Of which action, such as dynamodb:PutItem; every one, where it is not said. */
  action?: string;
  kind: 'throttle' | 'error' | 'delay' | 'cut' | 'lose';
  /** How many calls pass before, and how many are disturbed; for ever, where it is not said. */
  after?: number;
  times?: number;
  delayMs?: number;
};

/** With the number of calls that it has met. */
type CountedDisturbance = Disturbance & { struck: number };

/** A caller is known by its access key; its signature is not looked at. */
export type Caller = { role: string; user: string };

type DoorOptions = {
  callers: ReadonlyMap<string, Caller>;
  permissions: Permissions;
  /** The action and the resources that a call is about. */
  describe: (operation: string, body: Record<string, unknown>) => { action: string; resources: string[] };
  target: string;
  contentType: string;
};

/** The functions' way to a service: what the role does not allow gets the platform's refusal and goes no further. */
export class AwsProxy {
  private readonly options: DoorOptions;
  private readonly server = createServer((incoming, outgoing) => void this.pass(incoming, outgoing));
  private disturbances: CountedDisturbance[] = [];

  constructor(options: DoorOptions) {
    this.options = options;
  }

  open() {
    return listen(this.server, 0);
  }

  disturb(disturbances: Disturbance[]) {
    this.disturbances = disturbances.map((each) => ({ ...each, struck: 0 }));
  }

  get disturbed(): readonly CountedDisturbance[] {
    return this.disturbances;
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse) {
    try {
      const body = await bodyOf(incoming);
      const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
      const { action, resources } = this.options.describe(operation, JSON.parse(body.toString() || '{}'));
      const refusal = this.refusalFor(incoming, action, resources);
      if (refusal) return this.answerError(outgoing, 400, 'AccessDeniedException', refusal);
      const disturbance = this.next(action);
      if (await this.isStopped(disturbance, incoming, outgoing)) return;
      await forward(this.options.target, incoming, body, outgoing, disturbance?.kind === 'lose');
    } catch {
      // The service is gone, or the caller is: either way the connection is all that is left to end.
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
    return refused === undefined ? undefined : accessDenied(caller.role, caller.user, action, refused);
  }

  private next(action: string) {
    const next = this.disturbances.find((disturbance) => {
      if (disturbance.action !== undefined && disturbance.action !== action) return false;
      if (disturbance.after) {
        disturbance.after -= 1;
        return false;
      }
      return disturbance.times === undefined || disturbance.struck < disturbance.times;
    });
    if (next) next.struck += 1;
    return next;
  }

  private async isStopped(
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
      case 'cut':
        incoming.socket.destroy();
        return true;
      case 'delay':
        // A run that is asked to end does not wait for it.
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
  isLost: boolean,
) => {
  const onward = request(target, {
    method: incoming.method ?? 'POST',
    path: incoming.url,
    headers: incoming.headers,
  });
  onward.end(body);
  const [answer]: IncomingMessage[] = await once(onward, 'response');
  if (!answer) throw new Error('No answer came.');
  const answered = await bodyOf(answer);
  if (isLost) incoming.socket.destroy();
  else outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(answered);
};

/** The tables that a call names, alone or in a batch. Transactions and statements name theirs elsewhere, and are refused. */
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
