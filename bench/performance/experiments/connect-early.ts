import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { HttpRequest } from '@smithy/core/protocols';

/**
 * Opens the connection to the tables before the first request comes, which may be long after a function has started.
 * A call is made as any other, so that its code has run once. In its stead goes a GET without a signature: nobody
 * needs a permission for it, and what it is answered with does not matter.
 */
export const connectEarly = (client: DynamoDBClient) => {
  const call = new ListTablesCommand({});
  call.middlewareStack.add(
    () => async (args) => {
      if (HttpRequest.isInstance(args.request)) await knock(client, args.request);
      return { response: {}, output: { $metadata: {} } };
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  // The first request opens a connection of its own then, and says what is wrong.
  client.send(call).catch(() => {});
};

const knock = async ({ config }: DynamoDBClient, { protocol, hostname, port, headers }: HttpRequest) => {
  const host = headers['host'] ?? hostname;
  const request = new HttpRequest({ protocol, hostname, ...(port ? { port } : {}), headers: { host } });
  const { response } = await config.requestHandler.handle(request);
  // Read to its end, so that the connection is free.
  response.body.resume();
};
