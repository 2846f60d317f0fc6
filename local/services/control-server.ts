import { createServer, type IncomingMessage } from 'node:http';
import { bodyOf, listen } from '../http.ts';
import type { AwsProxy, Disturbance } from './aws-proxy.ts';
import type { Permissions } from './permissions.ts';

type Proxies = Record<'dynamodb' | 'secretsmanager', AwsProxy>;

/**
 * For tests. GET /permissions returns the granted permissions, and those that no call has used yet.
 * POST /disturbances with {"dynamodb": [{"action", "kind", "after", "times", "delayMs"}], "secretsmanager": […]}
 * replaces the disturbances of the functions' calls. GET /disturbances returns them with the number of disturbed calls.
 */
export class ControlServer {
  private readonly permissions: Permissions;
  private readonly proxies: Proxies;
  private readonly server = createServer(async (incoming, outgoing) => {
    const answer = await this.answer(incoming).catch(() => undefined);
    outgoing.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify(answer ?? { message: 'Not found' }));
  });

  constructor(permissions: Permissions, proxies: Proxies) {
    this.permissions = permissions;
    this.proxies = proxies;
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
      const { dynamodb, secretsmanager } = this.proxies;
      return { dynamodb: dynamodb.disturbed, secretsmanager: secretsmanager.disturbed };
    }
    // A web page cannot send this content type to another origin without a preflight request, which gets a 404.
    if (requested !== 'POST /disturbances' || incoming.headers['content-type'] !== 'application/json')
      return undefined;
    const wanted: Partial<Record<keyof Proxies, Disturbance[]>> = JSON.parse(
      (await bodyOf(incoming)).toString(),
    );
    this.proxies.dynamodb.disturb(wanted.dynamodb ?? []);
    this.proxies.secretsmanager.disturb(wanted.secretsmanager ?? []);
    return wanted;
  }
}
