import { type OperationName, operationDefinition, operationNames } from '../../shared/operations.ts';
import { answerExamples, requestExamples } from './examples.ts';
import { contentEncoding, everywhere, noStore } from './headers.ts';
import { ofPosts, requestBody } from './requests.ts';
import { responseRef } from './responses.ts';
import { schemaRef } from './schemas.ts';

export const tags = [
  { name: 'Changes', description: 'That something changed.' },
  { name: 'Lists', description: 'What a warehouse may use; each list is complete, in one answer.' },
  { name: 'Stock balances', description: 'What a warehouse has.' },
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

/** By the schema of the request body. */
const refusals = {
  Change: {
    400: responseRef('ChangeRefused'),
    413: responseRef('TooManyBytes'),
    415: responseRef('NotJson'),
  },
  StockBalanceBatch: {
    400: responseRef('BatchRefused'),
    413: responseRef('BatchTooLarge'),
    415: responseRef('NotJson'),
  },
};

const answered = (name: OperationName) => {
  const { description, examples } = answerExamples[name];
  return {
    description,
    headers: { ...everywhere, ...noStore, ...contentEncoding },
    content: { 'application/json': { schema: schemaRef(operationDefinition(name).answer), examples } },
  };
};

/** post-change becomes postChange, which generated clients can use as a name. */
const operationId = (name: OperationName) =>
  name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const pathItem = (name: OperationName) => {
  const { method, path, body, tag, summary, description } = operationDefinition(name);
  const operation = {
    operationId: operationId(name),
    tags: [tag],
    summary,
    description,
    ...(body ? { parameters: ofPosts, requestBody: requestBody(body, requestExamples[body]) } : {}),
    responses: { 200: answered(name), ...(body ? refusals[body] : {}), ...errorsOfEveryOperation },
  };
  return [path, { [method.toLowerCase()]: operation }];
};

export const paths = Object.fromEntries(operationNames.map(pathItem));
