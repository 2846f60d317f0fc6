import type { APIGatewayProxyEvent } from 'aws-lambda';
import { locateJsonError } from '../../shared/schemas/json.ts';
import { Refusal } from '../../shared/schemas/problem.ts';

type MiddlewareRequest = { event: APIGatewayProxyEvent };

/** Also a type such as `application/problem+json`, and parameters such as a charset. */
const JSON_TYPE = /^\s*application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i;

export const requireJsonContentType = () => ({
  before: ({ event }: MiddlewareRequest) => {
    if (!JSON_TYPE.test(event.headers?.['content-type'] ?? '')) {
      throw new Refusal(415, 'Send the body as JSON, with the header Content-Type: application/json.');
    }
  },
});

/** Not middy's parser, which is several times slower, because it looks for `__proto__`. The schemas refuse that name anyway. */
export const readJsonBody = () => ({
  before: ({ event }: MiddlewareRequest) => {
    event.body = parse(textOf(event));
  },
});

const BYTE_ORDER_MARK = '\uFEFF';

const textOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent) => {
  const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
};

const parse = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw new Refusal(400, 'The body is empty. Send a JSON object.');
    throw new Refusal(400, `The body cannot be read as JSON: ${locateJsonError(text)}.`);
  }
};
