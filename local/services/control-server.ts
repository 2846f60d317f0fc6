import { createServer, type IncomingMessage } from 'node:http';
import { bodyOf, listen } from '../http.ts';
import type { LambdaThrottle } from '../lambda/lambda.ts';
import type { Disturbance } from './aws-proxy.ts';
import type { Disturbances } from './disturbances.ts';
import type { Permissions } from './permissions.ts';

type Disturbed = Record<'dynamodb' | 'secretsmanager', Disturbances<Disturbance>> & {
  lambda: Disturbances<LambdaThrottle>;
};

export type Wanted = {
  dynamodb?: Disturbance[];
  secretsmanager?: Disturbance[];
  lambda?: LambdaThrottle[];
};

/**
 * For tests. GET /permissions returns the granted permissions, and those that no call has used yet.
 * POST /disturbances with {"dynamodb": [{"action", "kind", "after", "times", "delayMs"}], "secretsmanager": […],
 * "lambda": [{"throttle": "PostChange", "after", "times"}]} replaces the disturbances of the functions' calls and of the
 * gateway's calls of functions. GET /disturbances returns them with the number of disturbed calls.
 */
export class ControlServer {
  private readonly permissions: Permissions;
  private readonly disturbed: Disturbed;
  private readonly server = createServer(async (incoming, outgoing) => {
    const answer = await this.answer(incoming).catch(() => undefined);
    outgoing.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify(answer ?? { message: 'Not found' }));
  });

  constructor(permissions: Permissions, disturbed: Disturbed) {
    this.permissions = permissions;
    this.disturbed = disturbed;
  }

  open() {
    return listen(this.server, 0);
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(incoming: IncomingMessage): Promise<object | undefined> {
    const requested = `${incoming.method} ${incoming.url}`;
    if (requested === 'GET /permissions') {
      return { granted: this.permissions.granted, unused: this.permissions.unused };
    }
    if (requested === 'GET /disturbances') {
      const { dynamodb, secretsmanager, lambda } = this.disturbed;
      return { dynamodb: dynamodb.counted, secretsmanager: secretsmanager.counted, lambda: lambda.counted };
    }
    // With this content type, a web page of another origin needs a preflight request, which gets a 404.
    if (requested !== 'POST /disturbances' || incoming.headers['content-type'] !== 'application/json')
      return undefined;
    const wanted: Wanted = JSON.parse((await bodyOf(incoming)).toString());
    this.disturbed.dynamodb.replace(wanted.dynamodb ?? []);
    this.disturbed.secretsmanager.replace(wanted.secretsmanager ?? []);
    this.disturbed.lambda.replace(wanted.lambda ?? []);
    return wanted;
  }
}
