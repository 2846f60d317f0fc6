import { ACCOUNT, REGION } from '../synthesis/stack.ts';

type Body = Record<string, unknown>;

/** The actions and tables of a call. A transaction has those of its writes. PartiQL gets `*`, which no role allows. */
export const describeCalls = (operation: string, body: Body) => {
  if (operation !== 'TransactWriteItems') return [describeCall(operation, body)];
  const writes: Record<string, Body>[] = Object.values(Object(body['TransactItems']));
  return writes.flatMap(Object.entries<Body>).map(([kind, write]) => describeCall(`${kind}Item`, write));
};

export const describeCall = (operation: string, body: Body) => {
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
const NAMELESS_PARAMETERS = new Set([
  ...['TableName', 'Select', 'Limit', 'ConsistentRead', 'ReturnConsumedCapacity', 'ScanIndexForward'],
  ...['Segment', 'TotalSegments', 'ExpressionAttributeNames', 'ExpressionAttributeValues'],
]);

/** Stands for an expression that cannot be read. No policy allows an attribute without a name, so the call is refused. */
const UNREADABLE = [''];

const attributesOf = (body: Body) =>
  Object.entries({ ProjectionExpression: '', ...body }).flatMap(([parameter, value]) => {
    if (parameter.endsWith('Expression')) return namesIn(value, Object(body['ExpressionAttributeNames']));
    if (parameter === 'ExclusiveStartKey') return Object.keys(Object(value));
    return NAMELESS_PARAMETERS.has(parameter) ? [] : UNREADABLE;
  });

const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

/** The attributes of an expression. A part after a dot, a value after a colon and a function are no attributes. */
const namesIn = (expression: unknown, names: Record<string, unknown>) => {
  const isReadable = typeof expression === 'string' && /^[\w\s#:,.()<>=]+$/.test(expression);
  if (!isReadable) return UNREADABLE;
  const words = expression.match(/(?<![.:\w#])#?\w+\b(?!\s*\()/g) ?? [];
  return words
    .filter((word) => !KEYWORDS.has(word.toUpperCase()))
    .map((word) => (word.startsWith('#') ? String(names[word] ?? '') : word));
};
