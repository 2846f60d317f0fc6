import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { locateJsonFault } from './json-fault.ts';
import { Refusal } from './problem.ts';

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

export const withoutByteOrderMark = () => ({
  before: ({ event }: Request) => {
    if (event.body?.startsWith(BYTE_ORDER_MARK)) event.body = event.body.slice(BYTE_ORDER_MARK.length);
  },
});

const PARSER_REFUSED_CONTENT_TYPE = 415;

/** The parser's errors carry the body that they are about; from here on only the place of the fault is known. */
export const parsedJson = () => {
  const parser = httpJsonBodyParser();
  return {
    before: async (request: Parameters<NonNullable<typeof parser.before>>[0] & Request) => {
      const text = request.event.body;
      if (text?.trim() === '') throw new Refusal(400, 'The body is empty; send a JSON object.');
      try {
        await parser.before?.(request);
      } catch (error) {
        throw statusOf(error) === PARSER_REFUSED_CONTENT_TYPE
          ? new Refusal(415, 'Send the body as JSON, with the header Content-Type: application/json.')
          : new Refusal(400, `The body is not JSON that can be taken: ${locateJsonFault(text ?? '')}.`);
      }
      if (request.event.body === null) throw new Refusal(400, 'The body is empty; send a JSON object.');
    },
  };
};

const statusOf = (error: unknown) =>
  error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
