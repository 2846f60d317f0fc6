import { createServer, type IncomingMessage } from 'node:http';
import type { Disturbance, Disturbances, LambdaThrottle } from '../disturbances.ts';
import { bodyOf, close, listen } from '../http.ts';
import type { Permissions } from './permissions.ts';

export type RequestedDisturbances = {
  dynamodb?: Disturbance[];
  secretsmanager?: Disturbance[];
  lambda?: LambdaThrottle[];
};

type DisturbancesByService = Record<'dynamodb' | 'secretsmanager', Disturbances<Disturbance>> & {
  lambda: Disturbances<LambdaThrottle>;
};

/**
 * For tests.
 * - GET /permissions: the granted permissions, and the permissions that no call has used yet.
 * - POST /disturbances: replaces all disturbances. The body has the type RequestedDisturbances.
 * - GET /disturbances: the disturbances, and how many calls each has hit.
 */
export const openControlServer = async (permissions: Permissions, disturbances: DisturbancesByService) => {
  const { dynamodb, secretsmanager, lambda } = disturbances;

  const answer = async (incoming: IncomingMessage): Promise<object | undefined> => {
    const requested = `${incoming.method} ${incoming.url}`;
    if (requested === 'GET /permissions') return { granted: permissions.granted, unused: permissions.unused };
    if (requested === 'GET /disturbances')
      return { dynamodb: dynamodb.counted, secretsmanager: secretsmanager.counted, lambda: lambda.counted };
    // With this content type, a web page of another origin needs a preflight request, which gets a 404.
    if (requested !== 'POST /disturbances' || incoming.headers['content-type'] !== 'application/json')
      return undefined;
    const body: RequestedDisturbances = JSON.parse((await bodyOf(incoming)).toString());
    dynamodb.replace(body.dynamodb);
    secretsmanager.replace(body.secretsmanager);
    lambda.replace(body.lambda);
    return body;
  };

  const server = createServer(async (incoming, outgoing) => {
    const body = await answer(incoming).catch(() => undefined);
    outgoing.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify(body ?? { message: 'Not found' }));
  });
  return { endpoint: await listen(server, 0), close: () => close(server) };
};
