import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { locateJsonError } from '../../shared/schemas/json.ts';
import { Refusal } from '../../shared/schemas/problem.ts';

type Request = { event: APIGatewayProxyEvent };

/** middy's parser looks for a lower-case name, and for no blank before the parameters of the content type. */
export const normalizeHeaders = () => [
  httpHeaderNormalizer(),
  {
    before: ({ event }: Request) => {
      const contentType = event.headers?.['content-type'];
      if (contentType) event.headers['content-type'] = contentType.trim().replace(/\s+;/, ';');
    },
  },
];

/** middy's parser checks the content type. It reads an empty object, so that any error is about that. */
export const requireJsonContentType = () => {
  const parser = httpJsonBodyParser();
  return {
    before: async (request: Parameters<NonNullable<typeof parser.before>>[0] & Request) => {
      const event = { ...request.event, body: '{}', isBase64Encoded: false };
      try {
        await parser.before?.({ ...request, event });
      } catch {
        throw new Refusal(415, 'Send the body as JSON, with the header Content-Type: application/json.');
      }
    },
  };
};

/**
 * middy's parser takes several times as long, because it calls a function for every value to refuse `__proto__` and
 * such. Our schemas refuse every unknown field and point to it.
 */
export const readJsonBody = () => ({
  before: ({ event }: Request) => {
    event.body = parse(textOf(event));
  },
});

const BYTE_ORDER_MARK = '\uFEFF';

/** A gateway sends a body in base64 when it takes it for binary. */
const textOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent) => {
  const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
};

/** The engine's own error repeats a piece of the text; ours names the place. */
const parse = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw new Refusal(400, 'The body is empty; send a JSON object.');
    throw new Refusal(400, `The body is not JSON that can be taken: ${locateJsonError(text)}.`);
  }
};
