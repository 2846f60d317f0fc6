type SdkClient = { middlewareStack: { remove(name: string): boolean } };

/** The SDK's logger middleware copies every request and response, even with no logger set. */
export const withoutLogger = <TClient extends SdkClient>(client: TClient) => {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};
