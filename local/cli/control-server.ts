import { createServer, type IncomingMessage } from 'node:http';
import { bodyOf, listen } from '../http.ts';
import type { AwsProxy, Disturbance } from '../services/aws-proxy.ts';
import type { Permissions } from '../services/permissions.ts';

type Doors = Record<'dynamodb' | 'secretsmanager', AwsProxy>;

/**
 * For tests and the curious. GET /permissions tells what is granted and what of it nobody has needed yet;
 * POST /disturbances with {"dynamodb": [{"action", "kind", "after", "times", "delayMs"}], "secretsmanager": […]}
 * makes calls go wrong on their way from the functions, until it is called again; GET /disturbances tells how many calls
 * each has met.
 */
export class ControlServer {
  private readonly permissions: Permissions;
  private readonly doors: Doors;
  private readonly server = createServer(async (incoming, outgoing) => {
    const answer = await this.answer(incoming).catch(() => undefined);
    outgoing.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify(answer ?? { message: 'Not found' }));
  });

  constructor(permissions: Permissions, doors: Doors) {
    this.permissions = permissions;
    this.doors = doors;
  }

  open() {
    return listen(this.server, 0);
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(incoming: IncomingMessage): Promise<object | undefined> {
    const what = `${incoming.method} ${incoming.url}`;
    if (what === 'GET /permissions') {
      return { granted: this.permissions.granted, unused: this.permissions.unused };
    }
    if (what === 'GET /disturbances') {
      const { dynamodb, secretsmanager } = this.doors;
      return { dynamodb: dynamodb.disturbed, secretsmanager: secretsmanager.disturbed };
    }
    // A page in a browser cannot send this type to another origin without being asked first, and is never answered.
    if (what !== 'POST /disturbances' || incoming.headers['content-type'] !== 'application/json')
      return undefined;
    const wanted: Partial<Record<keyof Doors, Disturbance[]>> = JSON.parse(
      (await bodyOf(incoming)).toString(),
    );
    this.doors.dynamodb.disturb(wanted.dynamodb ?? []);
    this.doors.secretsmanager.disturb(wanted.secretsmanager ?? []);
    return wanted;
  }
}
