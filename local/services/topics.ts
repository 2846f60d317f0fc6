import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { type HttpResponse, openServer } from '../http.ts';
import type { Permissions } from './permissions.ts';
import { callerOf } from './proxy.ts';

export type TopicMessage = { subject: string; message: string };

/** SNS's operation Publish. `onMessage` gets each message that the role of the function allows. */
export const openTopics = (
  permissions: Pick<Permissions, 'refusalOf'>,
  onMessage: (topic: string, message: TopicMessage) => void,
) =>
  openServer(async (incoming) => {
    const form = new URLSearchParams(await text(incoming));
    const field = (name: string) => form.get(name) ?? '';
    const call = { action: `sns:${field('Action')}`, resource: field('TopicArn') };
    const refusal = permissions.refusalOf(callerOf(incoming), call);
    if (refusal)
      return xmlResponse(
        403,
        'Error',
        `<Error><Code>AuthorizationError</Code><Message>${refusal}</Message></Error>`,
      );
    const topic = call.resource.split(':').at(-1) ?? '';
    onMessage(topic, { subject: field('Subject'), message: field('Message') });
    const id = `<MessageId>${randomUUID()}</MessageId>`;
    return xmlResponse(200, 'Publish', `<PublishResult>${id}</PublishResult>`);
  });

const xmlResponse = (status: number, name: string, content: string): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'text/xml' },
  body: `<${name}Response>${content}</${name}Response>`,
});
