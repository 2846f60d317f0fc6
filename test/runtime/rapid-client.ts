/*
 * Replaces the runtime client's native part, which is C++ that asks for events and sends responses. Here the client asks
 * by itself (AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1), and this sends.
 */

const post = (path: string, body: string) =>
  void fetch(`http://${process.env['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/invocation/${path}`, {
    method: 'POST',
    body,
  });

export const done = (requestId: string, body: string) => post(`${requestId}/response`, body);

export const error = (requestId: string, body: string) => post(`${requestId}/error`, body);
