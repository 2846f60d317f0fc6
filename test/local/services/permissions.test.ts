import { describe, expect, test } from 'vitest';
import { effectOf, findMatchingStatements, readStatements } from '../../../local/policy.ts';
import { describeCall } from '../../../local/services/dynamodb-call.ts';
import {
  attributesCondition,
  type EditableAssembly,
  editedAssembly,
  onlyMatch,
} from '../../support/assembly.ts';
import { eventually, type LocalRun, postControl, startLocal } from '../../support/local-run.ts';
import { sendRequest } from '../../support/operations.ts';
import { expectProblem } from '../../support/problem.ts';

/** IAM user guide, "Policy evaluation logic": an action without an Allow is denied, with the services' message. */

const PUT = 'dynamodb:PutItem';
const SCAN = 'dynamodb:Scan';

const start = async (edit: (assembly: EditableAssembly) => void) =>
  startLocal({ assemblyFolder: await editedAssembly(edit) });

const untilLogged = (run: LocalRun, line: RegExp) => eventually(() => line.test(run.functionsLog()));

const statementWith = (assembly: EditableAssembly, functionId: string, action: string) =>
  onlyMatch(assembly.statementsOf(functionId), ({ Action }) => [Action].flat().includes(action));

/** Removes an action from a function's policy. */
const withhold = (assembly: EditableAssembly, functionId: string, action: string) => {
  const statement = statementWith(assembly, functionId, action);
  statement.Action = [statement.Action].flat().map((name) => (name === action ? 'none:None' : name));
};

test('an authorizer that may not read the attribute Slot makes an operation a 503, and its log names the action', async () => {
  const run = await start((assembly) => {
    const statement = statementWith(assembly, 'Authorizer', SCAN);
    const names = Object(statement.Condition)['ForAllValues:StringEquals']['dynamodb:Attributes'];
    statement.Condition = attributesCondition(names.filter((name: string) => name !== 'Slot'));
  });
  expectProblem(await sendRequest(run, 'get-material-codes'), 503);
  await untilLogged(
    run,
    /is not authorized to perform: dynamodb:Scan on resource: arn:aws:dynamodb:.+Clients/,
  );
});

test('functions do only what their policies allow, and the log of one without logs:PutLogEvents is lost (Lambda guide, "Sending logs to CloudWatch")', async () => {
  const run = await start((assembly) => {
    statementWith(assembly, 'PostChange', PUT).Resource =
      'arn:aws:dynamodb:eu-central-1:000000000000:table/another';
    withhold(assembly, 'GetPurchaseOrders', SCAN);
    withhold(assembly, 'GetPurchaseOrders', 'logs:PutLogEvents');
    assembly
      .statementsOf('GetPurchaseOrders')
      .push({ Effect: 'Allow', Action: 'dynamodb:sc?n', Resource: 'arn:aws:dynamodb:*' });
    withhold(assembly, 'Watch', 'sns:Publish');
  });
  expect((await sendRequest(run, 'get-purchase-orders')).status).toBe(200);
  const refused = await sendRequest(run, 'post-change');
  expectProblem(refused, 500);
  expect(refused.text).not.toMatch(/not authorized|arn:|dynamodb/);
  await untilLogged(
    run,
    /AccessDeniedException.+User: arn:aws:sts::000000000000:assumed-role\/[^ ]+PostChangeRole[^ ]+ is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:eu-central-1:000000000000:table\/[^ ]+ because no identity-based policy allows the dynamodb:PutItem action/,
  );
  expect(run.functionsLog()).not.toContain('GetPurchaseOrders');
  // On a Monday morning, the watch always publishes.
  const watch = await postControl(run, '/watch', { time: '2100-01-04T06:05:00Z' });
  const words = /is not authorized to perform: sns:Publish on resource: arn:aws:sns:/;
  expect([watch.status, watch.json().message]).toEqual([502, expect.stringMatching(words)]);
});

/** DynamoDB developer guide, "Using IAM policy conditions for fine-grained access control". */
describe('a statement that is limited to the attributes Client and Plan', () => {
  const Condition = attributesCondition(['Client', 'Plan']);
  const Statement = [{ Effect: 'Allow', Action: 'dynamodb:*', Resource: '*', Condition }];
  /** A Scan of the attribute Client with other parameters. */
  const effectOn = (more: object) => {
    const scan = { TableName: 'Clients', Select: 'SPECIFIC_ATTRIBUTES', ProjectionExpression: 'Client' };
    const { resources, ...call } = describeCall('Scan', JSON.parse(JSON.stringify({ ...scan, ...more })));
    const described = { ...call, resource: String(resources[0]) };
    return effectOf(findMatchingStatements(readStatements({ Statement }), described));
  };

  test.each<[string, object]>([
    ['them', { ProjectionExpression: 'Client, Plan.Name', Limit: 1, ExclusiveStartKey: { Client: {} } }],
    [
      'other names for them, in all expressions',
      {
        ProjectionExpression: '#0,#1',
        FilterExpression: 'begins_with (#0, :Hash) AND (not Plan IN (:p) OR size(#1) > :n)',
        ExpressionAttributeNames: { '#0': 'Client', '#1': 'Plan' },
        ExpressionAttributeValues: { ':Hash': { S: 'Hash' } },
      },
    ],
  ])('allows a Scan that names %s', (_, parameters) => {
    expect(effectOn(parameters)).toBe('Allow');
  });

  test.each<[string, object]>([
    ['all attributes', { Select: 'ALL_ATTRIBUTES' }],
    ['attributes without Select', { Select: undefined }],
    ['no attribute', { ProjectionExpression: undefined }],
    ['another attribute', { ProjectionExpression: 'Client, Hash' }],
    ['a part of another attribute', { ProjectionExpression: 'Client, Hash.Plan' }],
    ['another name for it', { ProjectionExpression: '#h', ExpressionAttributeNames: { '#h': 'Hash' } }],
    ['a name that is not defined', { ProjectionExpression: '#h' }],
    ['it in a condition', { FilterExpression: 'Plan = :p and Hash > :h' }],
    ['it in the key of a page', { ExclusiveStartKey: { Client: {}, Hash: {} } }],
    ['it in a parameter that is not known', { AttributesToGet: ['Hash'] }],
    ['what cannot be read', { ProjectionExpression: 'Client, Пароль' }],
  ])('does not allow a Scan that names %s', (_, parameters) => {
    expect(effectOn(parameters)).toBeUndefined();
  });
});

test.each([
  ['Allow', 'Deny'],
  ['Deny', 'Allow'],
])('of the effects %s and %s, the Deny counts', (...effects) => {
  const Statement = effects.map((Effect) => ({ Effect, Action: PUT, Resource: '*' }));
  const call = { action: PUT, resource: 'arn:aws:dynamodb:eu-central-1:000000000000:table/Clients' };
  expect(effectOf(findMatchingStatements(readStatements({ Statement }), call))).toBe('Deny');
});

describe('a pattern of a policy', () => {
  const TABLE = 'arn:aws:dynamodb:eu-central-1:000000000000:table/Clients-1';
  const effectOn = (Action: string, Resource: string, resource = TABLE) => {
    const Statement = [{ Effect: 'Allow', Action, Resource }];
    return effectOf(findMatchingStatements(readStatements({ Statement }), { action: PUT, resource }));
  };

  test.each([
    [PUT, TABLE],
    ['DYNAMODB:putitem', '*'],
    ['dynamodb:*Item', 'arn:aws:dynamodb:*:table/?lients-*1'],
  ])('allows what its wildcards match: %s on %s', (...pattern) => {
    expect(effectOn(...pattern)).toBe('Allow');
  });

  test.each([
    ['dynamodb:PutIte.', '*'],
    ['dynamodb:(Put|Get)Item', '*'],
    ['dynamodb:[A-Z]utItem', '*'],
    ['dynamodb:PutItem$', '*'],
    ['dynamodb:Put', '*'],
    ['PutItem', '*'],
    ['dynamodb:PutItem?', '*'],
    ...['clients-1', 'Client', 'Clients.1', 'C+lients-1', 'Clients-1{1}', 'Clients\\-1', 'Clients-1|x'].map(
      (name): [string, string] => [PUT, TABLE.replace('Clients-1', name)],
    ),
    [PUT, `^${TABLE}`],
  ])('allows nothing else: %s on %s', (...pattern) => {
    expect(effectOn(...pattern)).toBeUndefined();
  });

  test('may have characters that mean something in a regular expression', () => {
    const odd = `${TABLE}.+^$(x|y)[z]{1}\\`;
    expect([effectOn(PUT, odd, odd), effectOn(PUT, odd, `${odd}x`)]).toEqual(['Allow', undefined]);
  });
});
