import { type OperationName, operationDefinition, operationNames } from '../../shared/operations.ts';
import { requestExamples, responseExamples } from './examples.ts';
import { contentEncoding, noStore, requestId } from './headers.ts';
import { responseRef } from './responses.ts';
import { schemaRef } from './schemas.ts';

export const tags = [
  { name: 'Changes', description: 'Send the time of a change.' },
  { name: 'Lists', description: 'Read what a warehouse may use. Each response has the complete list.' },
  { name: 'Stock balances', description: 'Send what a warehouse has in stock.' },
];

const errorsOfEveryOperation = {
  401: responseRef('Unauthorized'),
  403: responseRef('Forbidden'),
  429: responseRef('Throttled'),
  500: responseRef('Failed'),
  502: responseRef('Crashed'),
  503: responseRef('Unavailable'),
  504: responseRef('TimedOut'),
};

/** The responses to a refused body, by its schema. */
const refusals = {
  Change: { 400: responseRef('ChangeRefused'), 413: responseRef('TooManyBytes') },
  StockBalanceBatch: { 400: responseRef('BatchRefused'), 413: responseRef('BatchTooLarge') },
};

const requestBody = (schema: 'Change' | 'StockBalanceBatch') => ({
  description:
    'JSON in UTF-8, with or without a byte-order mark. The content type may name a charset. The body may be compressed with gzip or deflate, if the Content-Encoding header says so.',
  required: true,
  content: { 'application/json': { schema: schemaRef(schema), examples: requestExamples[schema] } },
});

const successResponse = (name: OperationName) => {
  const { description, examples } = responseExamples[name];
  return {
    description,
    headers: { ...requestId, ...noStore, ...contentEncoding },
    content: { 'application/json': { schema: schemaRef(operationDefinition(name).response), examples } },
  };
};

/** post-change becomes postChange, which generated code can use as a name. */
const operationId = (name: OperationName) =>
  name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const pathItem = (name: OperationName) => {
  const { method, path, body, tag, summary, description } = operationDefinition(name);
  const responsesToBody = body
    ? { ...refusals[body], 415: responseRef('NotJson') }
    : { 415: responseRef('EncodingRefused') };
  const operation = {
    operationId: operationId(name),
    tags: [tag],
    summary,
    description,
    ...(body && { requestBody: requestBody(body) }),
    responses: { 200: successResponse(name), ...responsesToBody, ...errorsOfEveryOperation },
  };
  return [path, { [method.toLowerCase()]: operation }];
};

export const paths = Object.fromEntries(operationNames.map(pathItem));
