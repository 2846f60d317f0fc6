import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type HttpResponse, openServer } from '../http.ts';

/** A call to an AWS service. `forward` sends the call to the service. */
export type AwsCall = { incoming: IncomingMessage; body: Buffer; forward(): Promise<Required<HttpResponse>> };

type Respond = (call: AwsCall, outgoing: ServerResponse) => Promise<HttpResponse | undefined>;

/** A server in front of a service. It forwards calls or responds itself. */
export const openProxy = (target: string, respond: Respond) =>
  openServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    return respond({ incoming, body, forward: () => forward(target, incoming, body) }, outgoing);
  });

/** The action of a call to AWS, such as PutItem. */
export const actionOf = ({ headers }: IncomingMessage) =>
  String(headers['x-amz-target'] ?? '').split('.')[1] ?? '';

/** The access key is the name of the function that calls. Signatures are not checked. */
export const callerOf = ({ headers: { authorization = '' } }: IncomingMessage) =>
  /Credential=([^/]+)\//.exec(authorization)?.[1] ?? '';

export const untilClosed = ({ socket }: IncomingMessage) =>
  new Promise((resolve) => socket.once('close', resolve));

const forward = async (target: string, { method, url = '/', headers }: IncomingMessage, body: Buffer) => {
  const onward = request(new URL(url, target), { method: method ?? 'POST', headers });
  onward.end(body);
  const [response]: IncomingMessage[] = await once(onward, 'response');
  if (!response) throw new Error('The service did not respond.');
  const responseHeaders = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode ?? 502,
    headers: Object.fromEntries(responseHeaders),
    body: await buffer(response),
  };
};

export const jsonResponse = (status: number, body: object): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/x-amz-json-1.0' },
  body: JSON.stringify(body),
});

export const awsError = (status: number, type: string, message: string) =>
  jsonResponse(status, { __type: type, message });
