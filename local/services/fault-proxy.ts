import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { bodyOf, close, listen } from '../http.ts';

export type Reply = { status: number; headers?: Record<string, string>; body?: string | Buffer };

export type Call = {
  /** The operation of a call to AWS, such as PutItem. Empty for other requests. */
  action: string;
  path: string;
  authorization: string;
  body: Buffer;
  /** Sends the call to the service, with another body if one is given. */
  pass(body?: Buffer): Promise<Required<Reply>>;
  /** Waits until the caller has disconnected. */
  untilHangup(): Promise<unknown>;
};

/** Returns the reply to a call. Without one, the connection ends. It may also write to the response itself. */
type Answer = (call: Call, outgoing: ServerResponse) => Promise<Reply | undefined>;

/** A server in front of a service, which passes calls on or answers them itself. */
export const openFaultProxy = async (target: string, answer: Answer) => {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const reply = await answer(await readCall(target, incoming), outgoing);
      if (reply) outgoing.writeHead(reply.status, reply.headers).end(reply.body);
      else incoming.socket.destroy();
    } catch {
      // The service or the caller has disconnected.
      incoming.socket.destroy();
    }
  });
  return { endpoint: await listen(server, 0), close: () => close(server) };
};

const readCall = async (target: string, incoming: IncomingMessage): Promise<Call> => {
  const { url: path = '/', headers, socket } = incoming;
  const body = await bodyOf(incoming);
  return {
    action: String(headers['x-amz-target'] ?? '').split('.')[1] ?? '',
    path,
    authorization: headers.authorization ?? '',
    body,
    pass: (changed = body) => forward(target, incoming, changed),
    untilHangup: () => new Promise((resolve) => socket.once('close', resolve)),
  };
};

const forward = async (target: string, { method, url = '/', headers }: IncomingMessage, body: Buffer) => {
  const length = body.byteLength > 0 ? { 'content-length': body.byteLength } : {};
  const onward = request(new URL(url, target), {
    method: method ?? 'POST',
    headers: { ...headers, ...length },
  });
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

/** An error of an AWS service. DynamoDB names the message in lower case, and Secrets Manager in upper case. */
export const errorReply = (status: number, type: string, message: string, others: object = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: type, message, Message: message, ...others }),
});
