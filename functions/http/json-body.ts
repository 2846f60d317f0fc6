import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { locateJsonError } from '../../shared/schemas/json.ts';
import { Refusal } from '../../shared/schemas/problem.ts';

type Request = { event: APIGatewayProxyEvent };

/** Names in lower case, and no blank before the parameters of the content type: what the parser looks for. */
export const normalisedHeaders = () => [
  httpHeaderNormalizer(),
  {
    before: ({ event }: Request) => {
      const contentType = event.headers?.['content-type'];
      if (contentType) event.headers['content-type'] = contentType.trim().replace(/\s+;/, ';');
    },
  },
];

const BYTE_ORDER_MARK = '\uFEFF';

/** The body as the client has written it; in base64 it comes where a gateway takes it for binary. */
export const plainText = () => ({
  before: ({ event }: Request) => {
    const { body, isBase64Encoded } = event;
    const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : body;
    event.body = text?.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
    event.isBase64Encoded = false;
  },
});

/**
 * Of the parser only its judgement of the content type is taken. It reads JSON through a function that is called for
 * every value, to keep out fields by which prototypes are tampered with, and takes several times as long for that. As
 * the schemas take none but known fields, such a one is left to them: they say where it stands.
 */
export const parsedJson = () => {
  const parser = httpJsonBodyParser();
  return {
    before: async (request: Parameters<NonNullable<typeof parser.before>>[0] & Request) => {
      const { event } = request;
      try {
        await parser.before?.({ ...request, event: { ...event, body: '{}' } });
      } catch {
        // Of such a body it can say nothing else.
        throw notJson();
      }
      event.body = parse(event.body ?? '');
    },
  };
};

const notJson = () =>
  new Refusal(415, 'Send the body as JSON, with the header Content-Type: application/json.');
const empty = () => new Refusal(400, 'The body is empty; send a JSON object.');

/** The engine's own error repeats a piece of the text; ours tells the place. */
const parse = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw empty();
    throw new Refusal(400, `The body is not JSON that can be taken: ${locateJsonError(text)}.`);
  }
};
