import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, listen } from '../http.ts';
import { ACCOUNT, REGION } from '../stack.ts';
import { accessDenied, type Permissions } from './permissions.ts';

/** What can happen to a function's calls to a service. */
export type Disturbance = {
  /** The action, such as dynamodb:PutItem. Without one, all actions are disturbed. */
  action?: string;
  kind: 'throttle' | 'error' | 'delay' | 'cut' | 'lose';
  /** How many calls pass before, and how many are disturbed; without `times`, all further calls. */
  after?: number;
  times?: number;
  delayMs?: number;
};

/** `struck` is the number of disturbed calls. */
type CountedDisturbance = Disturbance & { struck: number };

/** A caller is identified by its access key; its signature is not checked. */
export type Caller = { role: string; user: string };

type AwsProxyOptions = {
  callers: ReadonlyMap<string, Caller>;
  permissions: Permissions;
  /** The action and the resources of a call. */
  describe: (operation: string, body: Record<string, unknown>) => { action: string; resources: string[] };
  target: string;
  contentType: string;
};

/** Passes the functions' calls on to a service, and refuses what the role does not allow, as the platform does. */
export class AwsProxy {
  private readonly options: AwsProxyOptions;
  private readonly server = createServer((incoming, outgoing) => void this.pass(incoming, outgoing));
  private disturbances: CountedDisturbance[] = [];

  constructor(options: AwsProxyOptions) {
    this.options = options;
  }

  open() {
    return listen(this.server, 0);
  }

  disturb(disturbances: Disturbance[]) {
    this.disturbances = disturbances.map((disturbance) => ({ ...disturbance, struck: 0 }));
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
      // The service or the caller has ended its connection.
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
        // Without `ref`, a run that is asked to end does not wait for the delay.
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
  if (!answer) throw new Error('The service did not answer.');
  const answered = await bodyOf(answer);
  if (isLost) incoming.socket.destroy();
  else outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(answered);
};

/** The tables of a call or a batch. Transactions and statements name their tables elsewhere, and are refused. */
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
