import { ACCOUNT, REGION } from '../synthesis/stack.ts';

type Body = Record<string, unknown>;

/** Finds the tables of a call or a batch. Transactions and PartiQL name their tables elsewhere, so they are refused. */
export const describeDynamoDb = (operation: string, body: Body) => {
  const names = [body['TableName'], ...Object.keys(Object(body['RequestItems']))].filter(
    (name) => typeof name === 'string',
  );
  const resources = names.map((name) => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`);
  return {
    action: `dynamodb:${operation}`,
    resources: resources.length > 0 ? resources : ['*'],
    onlyAttributes: body['Select'] === 'SPECIFIC_ATTRIBUTES' ? attributesOf(body) : undefined,
  };
};

/** The parameters of a Query or a Scan that name no attributes. */
const OTHERS = new Set([
  ...['TableName', 'Select', 'Limit', 'ConsistentRead', 'ReturnConsumedCapacity', 'ScanIndexForward'],
  ...['Segment', 'TotalSegments', 'ExpressionAttributeNames', 'ExpressionAttributeValues'],
]);

/** For what cannot be read. No policy allows an attribute without a name. */
const UNREADABLE = [''];

const attributesOf = (body: Body) =>
  Object.entries({ ProjectionExpression: '', ...body }).flatMap(([parameter, value]) => {
    if (parameter.endsWith('Expression')) return namesIn(value, Object(body['ExpressionAttributeNames']));
    if (parameter === 'ExclusiveStartKey') return Object.keys(Object(value));
    return OTHERS.has(parameter) ? [] : UNREADABLE;
  });

const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

/** The attributes of an expression, but not their parts after a dot, values after a colon and functions. */
const namesIn = (expression: unknown, names: Record<string, unknown>) => {
  const isReadable = typeof expression === 'string' && /^[\w\s#:,.()<>=]+$/.test(expression);
  if (!isReadable) return UNREADABLE;
  const words = expression.match(/(?<![.:\w#])#?\w+\b(?!\s*\()/g) ?? [];
  return words
    .filter((word) => !KEYWORDS.has(word.toUpperCase()))
    .map((word) => (word.startsWith('#') ? String(names[word] ?? '') : word));
};
