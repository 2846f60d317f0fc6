import * as v from 'valibot';
import { Disturbance, type Disturbances, LambdaThrottle } from '../disturbances.ts';
import { bodyOf, openServer } from '../http.ts';
import type { Permissions } from './permissions.ts';
import { jsonReply } from './proxy.ts';

const RequestedDisturbances = v.strictObject({
  dynamodb: v.optional(v.array(Disturbance)),
  secretsmanager: v.optional(v.array(Disturbance)),
  lambda: v.optional(v.array(LambdaThrottle)),
});
export type RequestedDisturbances = v.InferOutput<typeof RequestedDisturbances>;

type DisturbancesByService = Record<'dynamodb' | 'secretsmanager', Disturbances<Disturbance>> & {
  lambda: Disturbances<LambdaThrottle>;
};

/** Its requests are in docs/local.md. */
export const openControlServer = (permissions: Permissions, disturbances: DisturbancesByService) => {
  const { dynamodb, secretsmanager, lambda } = disturbances;
  return openServer(async (incoming) => {
    const requested = `${incoming.method} ${incoming.url}`;
    if (requested === 'GET /permissions')
      return jsonReply(200, { granted: permissions.granted, unused: permissions.unused() });
    // With this content type, a web page of another origin needs a preflight request, which gets a 404.
    if (requested === 'POST /disturbances' && incoming.headers['content-type'] === 'application/json') {
      const body = v.pipe(v.string(), v.parseJson(), RequestedDisturbances);
      const { success, output, issues } = v.safeParse(body, String(await bodyOf(incoming)));
      if (!success) return jsonReply(400, { message: v.summarize(issues) });
      dynamodb.replace(output.dynamodb);
      secretsmanager.replace(output.secretsmanager);
      lambda.replace(output.lambda);
    } else if (requested !== 'GET /disturbances') {
      return jsonReply(404, { message: 'Not found' });
    }
    return jsonReply(200, {
      dynamodb: dynamodb.counted,
      secretsmanager: secretsmanager.counted,
      lambda: lambda.counted,
    });
  });
};
