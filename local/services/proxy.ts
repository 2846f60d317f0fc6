import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { bodyOf, openServer, type Reply } from '../http.ts';

export type Call = {
  /** The operation of a call to AWS, such as PutItem. Empty for other requests. */
  action: string;
  path: string;
  authorization: string;
  body: Buffer;
  /** Sends the call to the service. */
  pass(): Promise<Required<Reply>>;
  hasHungUp(): boolean;
  /** Waits until the caller has disconnected. */
  untilHangup(): Promise<unknown>;
};

type Answer = (call: Call, outgoing: ServerResponse) => Promise<Reply | undefined>;

/** A server in front of a service, which passes calls on or answers them itself. */
export const openProxy = (target: string, answer: Answer) =>
  openServer(async (incoming, outgoing) => {
    const { url: path = '/', headers, socket } = incoming;
    const body = await bodyOf(incoming);
    const call = {
      action: actionOf(incoming),
      path,
      authorization: headers.authorization ?? '',
      body,
      pass: () => forward(target, incoming, body),
      hasHungUp: () => socket.destroyed,
      untilHangup: () => new Promise((resolve) => socket.once('close', resolve)),
    };
    return answer(call, outgoing);
  });

export const actionOf = ({ headers }: IncomingMessage) =>
  String(headers['x-amz-target'] ?? '').split('.')[1] ?? '';

/** The access key is the name of the function that calls. Signatures are not checked. */
export const callerOf = (authorization = '') => /Credential=([^/]+)\//.exec(authorization)?.[1] ?? '';

const forward = async (target: string, { method, url = '/', headers }: IncomingMessage, body: Buffer) => {
  const onward = request(new URL(url, target), { method: method ?? 'POST', headers });
  onward.end(body);
  const [answer]: IncomingMessage[] = await once(onward, 'response');
  if (!answer) throw new Error('The service did not answer.');
  const replyHeaders = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(replyHeaders),
    body: await bodyOf(answer),
  };
};

export const jsonReply = (status: number, body: object): Reply => ({
  status,
  headers: { 'Content-Type': 'application/x-amz-json-1.0' },
  body: JSON.stringify(body),
});

export const errorReply = (status: number, type: string, message: string, others: object = {}) =>
  jsonReply(status, { __type: type, message, ...others });
