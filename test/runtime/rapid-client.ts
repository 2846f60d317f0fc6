/*
 * In place of the runtime client's native part, which is compiled from C++ and only sends what the client gives it. The
 * client asks for events itself, with AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1.
 */

const post = (path: string, body: string) =>
  void fetch(`http://${process.env['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/invocation/${path}`, {
    method: 'POST',
    body,
  });

export const done = (requestId: string, body: string) => post(`${requestId}/response`, body);

export const error = (requestId: string, body: string) => post(`${requestId}/error`, body);
