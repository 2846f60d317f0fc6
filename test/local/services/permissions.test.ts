import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { beforeAll, describe, expect, test } from 'vitest';
import { effectOf, findMatchingStatements, readStatements } from '../../../local/policy.ts';
import { describeCall } from '../../../local/services/dynamodb-call.ts';
import { createPermissions } from '../../../local/services/permissions.ts';
import { readAssembly } from '../../../local/synthesis/assembly.ts';
import { TemplateStack } from '../../../local/synthesis/stack.ts';
import { type OperationName, operationNames } from '../../../shared/operations.ts';
import { type EditableAssembly, editedAssembly, onlyMatch } from '../../support/assembly.ts';
import { basic, send } from '../../support/http-client.ts';
import { eventually, type LocalRun, permissions, postControl, startLocal } from '../../support/local-run.ts';
import { functionIdOf, sendRequest } from '../../support/operations.ts';
import { expectProblem } from '../../support/problem.ts';
import { scriptFunctions } from '../lambda/scripted-functions.ts';

/** IAM user guide, "Policy evaluation logic": an action without an Allow is denied, with the services' message. */

const PUT = 'dynamodb:PutItem';
const SCAN = 'dynamodb:Scan';

const statusOf = async (run: LocalRun, name: OperationName) => (await sendRequest(run, name)).status;

/** Runs the watch on a Monday morning, when it always publishes, and long after the clients were added, so that it reads batches. */
const runWatch = (run: LocalRun) => postControl(run, '/watch', { time: '2100-01-04T06:05:00Z' });

/** As in infra/data/tables.ts. */
const attributesCondition = (names: readonly string[]) => ({
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': names },
  StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
});

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

test('the policies of the template grant exactly the permissions that the service uses, and one more action is reported as unused', async () => {
  const run = await start((assembly) => {
    statementWith(assembly, 'PostChange', PUT).Action = [PUT, 'dynamodb:DeleteItem'];
    assembly.statementsOf('PostChange').push({ Effect: 'Deny', Action: SCAN, Resource: '*' });
  });
  const { granted, unused } = await permissions(run);
  expect(granted.length).toBeGreaterThanOrEqual(20);
  expect(unused).toEqual(granted);

  for (const operation of operationNames) expect(await statusOf(run, operation)).toBe(200);
  const wrong = await send(run.url('changes'), { headers: { Authorization: basic('warehouse', 'wrong') } });
  expect(wrong.status).toBe(401);
  expect((await runWatch(run)).status).toBe(200);
  // The log is written after the response.
  const logged = ['credentials-refused', 'clients-watched', ...operationNames.map(functionIdOf)];
  await eventually(() => logged.every((text) => run.functionsLog().includes(text)));
  expect((await permissions(run)).unused).toEqual([
    {
      role: expect.stringMatching(/PostChangeRole/),
      action: 'dynamodb:DeleteItem',
      resource: expect.stringMatching(/:table\/.+ChangeTimestamps/),
    },
  ]);
  await run.stop();
});

test.each<[string, (assembly: EditableAssembly) => void]>([
  ['without dynamodb:Scan', (assembly) => withhold(assembly, 'Authorizer', SCAN)],
  [
    'that may not read the attribute Slot',
    (assembly) => {
      const statement = statementWith(assembly, 'Authorizer', SCAN);
      const names = Object(statement.Condition)['ForAllValues:StringEquals']['dynamodb:Attributes'];
      statement.Condition = attributesCondition(names.filter((name: string) => name !== 'Slot'));
    },
  ],
])(
  'an authorizer %s makes every operation a 503, and a watch without sns:Publish fails and names it',
  async (_, edit) => {
    const run = await start((assembly) => {
      edit(assembly);
      withhold(assembly, 'Watch', 'sns:Publish');
    });
    expectProblem(await sendRequest(run, 'get-material-codes'), 503);
    await untilLogged(
      run,
      /is not authorized to perform: dynamodb:Scan on resource: arn:aws:dynamodb:.+Clients/,
    );
    const message = expect.stringMatching(
      /is not authorized to perform: sns:Publish on resource: arn:aws:sns:/,
    );
    expect((await runWatch(run)).json()).toEqual({ message });
    await run.stop();
  },
);

test.each<[string, string, object]>([
  ['another condition', 'Allow', { Bool: {} }],
  [
    'the condition without dynamodb:Select',
    'Allow',
    { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': [] } },
  ],
  ['the condition in a Deny', 'Deny', attributesCondition(['Client'])],
])(
  'an element of a policy that the run does not evaluate stops the start: %s',
  async (_, Effect, Condition) => {
    const folder = await editedAssembly((edited) => {
      Object.assign(statementWith(edited, 'PostChange', PUT), { Effect, Condition });
    });
    const { stackName, template } = readAssembly(folder);
    expect(() => createPermissions(new TemplateStack(stackName, template))).toThrow(
      /does not support:\n.*Condition/s,
    );
  },
);

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

test('a caller that is no function of the template may use neither DynamoDB nor SNS', async () => {
  const run = await start(scriptFunctions);
  const { env } = (await run.post('changes', {})).json();
  const credentials = { accessKeyId: 'Unknown', secretAccessKey: 'local' };
  const scan = new ScanCommand({ TableName: run.outputs().Tables['Clients'] });
  const publish = new PublishCommand({
    TopicArn: run.outputs().Stack.Outputs['AlarmTopicArn'],
    Message: 'x',
  });
  const dynamodb = new DynamoDBClient({
    credentials,
    region: 'eu-central-1',
    endpoint: env.AWS_ENDPOINT_URL_DYNAMODB,
  });
  const sns = new SNSClient({ credentials, region: 'eu-central-1', endpoint: env.AWS_ENDPOINT_URL_SNS });
  const refusal = 'The security token included in the request is invalid.';
  await expect(dynamodb.send(scan)).rejects.toThrow(refusal);
  await expect(sns.send(publish)).rejects.toThrow(refusal);
  expect(run.output.messages).toBe('');
  await run.stop();
});

describe('a policy', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await start((assembly) => {
      statementWith(assembly, 'PostChange', PUT).Resource =
        'arn:aws:dynamodb:eu-central-1:000000000000:table/another';
      assembly
        .statementsOf('GetMaterialCodes')
        .push({ Effect: 'Deny', Action: 'dynamodb:S*', Resource: '*' });
      withhold(assembly, 'GetPurchaseOrders', SCAN);
      withhold(assembly, 'GetPurchaseOrders', 'logs:PutLogEvents');
      assembly
        .statementsOf('GetPurchaseOrders')
        .push({ Effect: 'Allow', Action: 'dynamodb:sc?n', Resource: 'arn:aws:dynamodb:*' });
      assembly.remove('AWS::Lambda::Permission', 'ApiRestApirestwarehousecontrolmaterialstockbalancePOST');
      statementWith(assembly, 'Watch', 'dynamodb:Query').Condition = attributesCondition(['SnapshotId']);
    });
  });

  test('on another resource is a bland 500, and the log names the action', async () => {
    const response = await sendRequest(run, 'post-change');
    expect(response.status).toBe(500);
    expect(response.text).not.toMatch(/not authorized|arn:|dynamodb/);
    await untilLogged(
      run,
      /AccessDeniedException.+User: arn:aws:sts::000000000000:assumed-role\/[^ ]+PostChangeRole[^ ]+ is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:eu-central-1:000000000000:table\/[^ ]+ because no identity-based policy allows the dynamodb:PutItem action/,
    );
  });

  test('on fewer attributes than the watch reads fails it, and names the action', async () => {
    const refused = await runWatch(run);
    expect([refused.status, refused.json().message]).toEqual([
      502,
      expect.stringContaining('dynamodb:Query'),
    ]);
  });

  test.each([
    ['with a Deny that matches overrides an Allow', 'get-material-codes', 500],
    ['with wildcards allows what they match', 'get-purchase-orders', 200],
    ['that does not let the gateway call the function is a 500', 'post-material-stock-balance', 500],
  ] as const)('%s: %s', async (_, operation, status) => {
    expect(await statusOf(run, operation)).toBe(status);
  });

  test('without logs:PutLogEvents causes no log, and the function still responds (Lambda guide, "Sending logs to CloudWatch")', async () => {
    expect(await statusOf(run, 'get-purchase-orders')).toBe(200);
    expect(await statusOf(run, 'get-material-codes')).toBe(500);
    await untilLogged(run, /GetMaterialCodes/);
    expect(run.functionsLog()).not.toContain('GetPurchaseOrders');
  });
});
