import { describe, expect, test } from 'vitest';
import { type EditableAssembly, editedAssembly } from '../support/assembly.ts';
import { batchOf } from '../support/batches.ts';
import { basic, send } from '../support/http-client.ts';
import { eventually, type LocalRun, permissions, startLocal } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';

/** IAM user guide, "Policy evaluation logic": what no statement allows is denied, in the words that the services use. */

const CHANGE = JSON.stringify({ Timestamp: '2026-03-01T08:15:30,123Z' });

const operations: [string, string, string, string, string | undefined][] = [
  ['PostChange', 'dynamodb:PutItem', 'POST', 'changes', CHANGE],
  ['GetMaterialCodes', 'dynamodb:Scan', 'GET', 'material-codes', undefined],
  ['GetPurchaseOrders', 'dynamodb:Scan', 'GET', 'purchase-orders', undefined],
  [
    'PostMaterialStockBalance',
    'dynamodb:PutItem',
    'POST',
    'material-stock-balance',
    JSON.stringify(batchOf(3)),
  ],
];

const drive = (run: LocalRun, method: string, path: string, body: string | undefined) =>
  send(run.url(path), {
    method,
    headers: { Authorization: run.authorization(), 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });

const start = async (edit: (assembly: EditableAssembly) => void) =>
  startLocal({ assemblyFolder: await editedAssembly(edit), args: ['--quiet'] });

const untilLogged = (run: LocalRun, line: RegExp) => eventually(() => line.test(run.functionsLog()));

const actionsOf = ({ Action }: { Action: string | string[] }) => [Action].flat();

/** Takes an action out of every statement of a function's policy. */
const withhold = (assembly: EditableAssembly, functionId: string, action: string) => {
  const statements = assembly.statementsOf(functionId);
  for (const [index, statement] of [...statements.entries()].reverse()) {
    const others = actionsOf(statement).filter((each) => each !== action);
    if (others.length === 0) statements.splice(index, 1);
    else statement.Action = others;
  }
};

const useEverything = async (run: LocalRun) => {
  for (const [, , method, path, body] of operations) {
    expect((await drive(run, method, path, body)).status).toBe(200);
  }
  const wrong = await send(run.url('changes'), { headers: { Authorization: basic('warehouse', 'wrong') } });
  expect(wrong.status).toBe(401);
  // The log is written after the answer.
  const logged = ['credentials-refused', ...operations.map(([id]) => id)];
  await eventually(() => logged.every((each) => run.functionsLog().includes(each)));
};

describe.concurrent('the policies of the template', () => {
  test('grant what the four operations and a wrong password need, and nothing else', async () => {
    const run = await startLocal({ args: ['--quiet'] });
    const { granted, unused } = await permissions(run);
    expect(granted.length).toBeGreaterThanOrEqual(15);
    expect(unused).toEqual(granted);
    await useEverything(run);
    expect((await permissions(run)).unused).toEqual([]);
    await run.stop();
  });

  test('with one action more than that have it told as unused', async () => {
    const run = await start((assembly) => {
      const statement = assembly
        .statementsOf('PostChange')
        .find((each) => actionsOf(each).includes('dynamodb:PutItem'));
      if (statement) statement.Action = ['dynamodb:PutItem', 'dynamodb:DeleteItem'];
    });
    await useEverything(run);
    expect((await permissions(run)).unused).toEqual([
      {
        role: expect.stringMatching(/PostChangeRole/),
        action: 'dynamodb:DeleteItem',
        resource: expect.stringMatching(/:table\/.+ChangeTimestamps/),
      },
    ]);
    await run.stop();
  });
});

describe.concurrent('a function whose policy lacks an action', () => {
  test.each(operations)(
    '%s without %s is a bland 500, and its log names the action',
    async (id, action, method, path, body) => {
      const run = await start((assembly) => withhold(assembly, id, action));
      const answer = await drive(run, method, path, body);
      expect(answer.status).toBe(500);
      expect(answer.text).not.toMatch(/not authorized|arn:|dynamodb/);
      await untilLogged(
        run,
        new RegExp(
          `AccessDeniedException.+User: arn:aws:sts::000000000000:assumed-role/[^ ]+${id}Role[^ ]+ is not authorized to perform: ${action} on resource: arn:aws:dynamodb:eu-central-1:000000000000:table/[^ ]+ because no identity-based policy allows the ${action} action`,
        ),
      );
      await run.stop();
    },
  );

  test('the authorizer without secretsmanager:GetSecretValue makes every operation a 500', async () => {
    const run = await start((assembly) => withhold(assembly, 'Authorizer', 'secretsmanager:GetSecretValue'));
    const answer = await drive(run, 'GET', 'material-codes', undefined);
    expectProblem(answer, 500);
    await untilLogged(
      run,
      /is not authorized to perform: secretsmanager:GetSecretValue on resource: arn:aws:secretsmanager:/,
    );
    await run.stop();
  });

  test('one that may not write its log has none, and serves all the same (Lambda developer guide, "Sending logs to CloudWatch")', async () => {
    const run = await start((assembly) => withhold(assembly, 'GetMaterialCodes', 'logs:PutLogEvents'));
    expect((await drive(run, 'GET', 'material-codes', undefined)).status).toBe(200);
    expect((await drive(run, 'GET', 'purchase-orders', undefined)).status).toBe(200);
    await untilLogged(run, /GetPurchaseOrders/);
    expect(run.functionsLog()).not.toContain('GetMaterialCodes');
    await run.stop();
  });
});

describe.concurrent('a policy', () => {
  test('on another resource does not help', async () => {
    const run = await start((assembly) => {
      const [statement] = assembly
        .statementsOf('PostChange')
        .filter((each) => actionsOf(each).includes('dynamodb:PutItem'));
      if (statement) statement.Resource = 'arn:aws:dynamodb:eu-central-1:000000000000:table/another';
    });
    expect((await drive(run, 'POST', 'changes', CHANGE)).status).toBe(500);
    await run.stop();
  });

  test('with wildcards allows what they match, unless a Deny does so, too', async () => {
    const run = await start((assembly) => {
      assembly
        .statementsOf('GetMaterialCodes')
        .push({ Effect: 'Deny', Action: 'dynamodb:S*', Resource: '*' });
      withhold(assembly, 'GetPurchaseOrders', 'dynamodb:Scan');
      assembly
        .statementsOf('GetPurchaseOrders')
        .push({ Effect: 'Allow', Action: 'dynamodb:sc?n', Resource: 'arn:aws:dynamodb:*' });
    });
    expect((await drive(run, 'GET', 'material-codes', undefined)).status).toBe(500);
    expect((await drive(run, 'GET', 'purchase-orders', undefined)).status).toBe(200);
    await run.stop();
  });

  test('that no longer lets the gateway call the function makes it a 500', async () => {
    const run = await start((assembly) =>
      assembly.remove('AWS::Lambda::Permission', 'ApiRestApirestwarehousecontrolchangesPOST'),
    );
    expect((await drive(run, 'POST', 'changes', CHANGE)).status).toBe(500);
    await run.stop();
  });
});
