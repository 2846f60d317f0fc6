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

/** The parser's errors carry the body that they are about; from here on only the place of the fault is known. */
export const parsedJson = () => {
  const parser = httpJsonBodyParser();
  return {
    before: async (request: Parameters<NonNullable<typeof parser.before>>[0] & Request) => {
      const text = request.event.body ?? '';
      try {
        await parser.before?.(request);
      } catch (error) {
        if (isAboutContentType(error)) throw notJson();
        request.event.body = parseAnew(text);
      }
      // No body at all is passed by the parser as it is.
      if (text === '') throw empty();
    },
  };
};

const notJson = () =>
  new Refusal(415, 'Send the body as JSON, with the header Content-Type: application/json.');
const empty = () => new Refusal(400, 'The body is empty; send a JSON object.');

const isAboutContentType = (error: unknown) =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 415;

/**
 * What the parser refuses is no JSON, or has a field by which prototypes are tampered with. As the schemas take
 * none but known fields, such a one is left to them: they say where it stands, and name all other faults too.
 */
const parseAnew = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw empty();
    throw new Refusal(400, `The body is not JSON that can be taken: ${locateJsonFault(text)}.`);
  }
};
