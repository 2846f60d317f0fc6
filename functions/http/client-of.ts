import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The client that the authorizer let in, by the name that stands on every record that it writes. */
export const clientOf = (event: APIGatewayProxyEvent): string | undefined => {
  const client: unknown = event.requestContext.authorizer?.['client'];
  return typeof client === 'string' ? client : undefined;
};
