import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { locateJsonError, placeOf } from '../../shared/http/json.ts';
import { Refusal } from '../../shared/http/problem.ts';

type MiddlewareRequest = { event: APIGatewayProxyEvent };
type ParserRequest = Parameters<NonNullable<ReturnType<typeof httpJsonBodyParser>['before']>>[0];

/** middy's parser needs header names in lower case, and a content type without a space before its semicolon. */
export const normalizeHeaders = () => [
  httpHeaderNormalizer(),
  {
    before: ({ event }: MiddlewareRequest) => {
      const contentType = event.headers?.['content-type'];
      if (contentType) event.headers['content-type'] = contentType.trim().replace(/\s+;/, ';');
    },
  },
];

/** Uses only the content-type check of middy's parser. The parser gets `{}` as the body, so it cannot fail for another reason. */
export const requireJsonContentType = () => {
  const parser = httpJsonBodyParser();
  return {
    before: async (request: ParserRequest & MiddlewareRequest) => {
      const event = { ...request.event, body: '{}', isBase64Encoded: false };
      try {
        await parser.before?.({ ...request, event });
      } catch {
        const detail = 'Send the body as JSON, with the header Content-Type: application/json.';
        throw new Refusal(415, detail, 'content type');
      }
    },
  };
};

/** middy's parser is several times slower, because it looks for `__proto__`. The schemas refuse that name anyway. */
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

/** The gateway replaces bytes that are not UTF-8 with this character. No field accepts it. */
const REPLACEMENT_CHARACTER = '\uFFFD';

const parse = (text: string) => {
  const damagedAt = text.indexOf(REPLACEMENT_CHARACTER);
  if (damagedAt !== -1) {
    const detail = `The body is not UTF-8 at ${placeOf(text, damagedAt)}. Send JSON in UTF-8, without U+FFFD.`;
    throw new Refusal(400, detail, 'UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw new Refusal(400, 'The body is empty. Send a JSON object.', 'empty');
    throw new Refusal(400, `The body cannot be read as JSON: ${locateJsonError(text)}.`, 'JSON');
  }
};
