import { createServer, type IncomingMessage } from 'node:http';
import { bodyOf, listen } from '../http.ts';
import type { Disturbance } from './aws-proxy.ts';
import type { Disturbances, LambdaThrottle } from './disturbances.ts';
import type { Permissions } from './permissions.ts';

type DisturbancesByService = Record<'dynamodb' | 'secretsmanager', Disturbances<Disturbance>> & {
  lambda: Disturbances<LambdaThrottle>;
};

export type RequestedDisturbances = {
  dynamodb?: Disturbance[];
  secretsmanager?: Disturbance[];
  lambda?: LambdaThrottle[];
};

/**
 * For tests.
 * - GET /permissions: the granted permissions, and the permissions that no call has used yet.
 * - POST /disturbances: replaces all disturbances. The body has the type RequestedDisturbances.
 * - GET /disturbances: the disturbances, and how many calls each has hit.
 */
export class ControlServer {
  private readonly permissions: Permissions;
  private readonly disturbances: DisturbancesByService;
  private readonly server = createServer(async (incoming, outgoing) => {
    const answer = await this.answer(incoming).catch(() => undefined);
    outgoing.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify(answer ?? { message: 'Not found' }));
  });

  constructor(permissions: Permissions, disturbances: DisturbancesByService) {
    this.permissions = permissions;
    this.disturbances = disturbances;
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
      const { dynamodb, secretsmanager, lambda } = this.disturbances;
      return { dynamodb: dynamodb.counted, secretsmanager: secretsmanager.counted, lambda: lambda.counted };
    }
    // With this content type, a web page of another origin needs a preflight request, which gets a 404.
    if (requested !== 'POST /disturbances' || incoming.headers['content-type'] !== 'application/json')
      return undefined;
    const body: RequestedDisturbances = JSON.parse((await bodyOf(incoming)).toString());
    this.disturbances.dynamodb.replace(body.dynamodb ?? []);
    this.disturbances.secretsmanager.replace(body.secretsmanager ?? []);
    this.disturbances.lambda.replace(body.lambda ?? []);
    return body;
  }
}
