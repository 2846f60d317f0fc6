import { beforeAll, describe, expect, test } from 'vitest';
import {
  type OperationName,
  operationDefinition,
  operationNames,
  operations,
} from '../../shared/operations.ts';
import { type EditableAssembly, editedAssembly } from '../support/assembly.ts';
import { batchOf } from '../support/batches.ts';
import { basic, send } from '../support/http-client.ts';
import { eventually, type LocalRun, permissions, startLocal } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';

/** IAM user guide, "Policy evaluation logic": an action without an Allow is denied, with the services' message. */

const PUT = 'dynamodb:PutItem';
const SCAN = 'dynamodb:Scan';

const bodies = { Change: { Timestamp: '2026-03-01T08:15:30,123Z' }, StockBalanceBatch: batchOf(3) };

const request = (run: LocalRun, name: OperationName) => {
  const { path, body } = operationDefinition(name);
  const last = path.slice(path.lastIndexOf('/') + 1);
  return body ? run.post(last, bodies[body]) : run.get(last);
};
const statusOf = async (run: LocalRun, name: OperationName) => (await request(run, name)).status;

/** A function's id in the template. */
const idOf = (name: OperationName) => name.replaceAll(/(?:^|-)(\w)/g, (_, first) => first.toUpperCase());

const start = async (edit: (assembly: EditableAssembly) => void) =>
  startLocal({ assemblyFolder: await editedAssembly(edit) });

const untilLogged = (run: LocalRun, line: RegExp) => eventually(() => line.test(run.functionsLog()));

const actionsOf = ({ Action }: { Action: string | string[] }) => [Action].flat();

const statementWith = (assembly: EditableAssembly, functionId: string, action: string) => {
  const found = assembly.statementsOf(functionId).find((statement) => actionsOf(statement).includes(action));
  if (!found) throw new Error(`${functionId} has no ${action}.`);
  return found;
};

/** Removes an action from every statement of a function's policy. */
const withhold = (assembly: EditableAssembly, functionId: string, action: string) => {
  const statements = assembly.statementsOf(functionId);
  for (const [index, statement] of [...statements.entries()].reverse()) {
    const others = actionsOf(statement).filter((name) => name !== action);
    if (others.length === 0) statements.splice(index, 1);
    else statement.Action = others;
  }
};

test('the policies of the template grant exactly the permissions that the service uses, and one more action is reported as unused', async () => {
  const run = await start((assembly) => {
    statementWith(assembly, 'PostChange', PUT).Action = [PUT, 'dynamodb:DeleteItem'];
  });
  const { granted, unused } = await permissions(run);
  expect(granted.length).toBeGreaterThanOrEqual(15);
  expect(unused).toEqual(granted);

  for (const operation of operationNames) expect(await statusOf(run, operation)).toBe(200);
  const wrong = await send(run.url('changes'), { headers: { Authorization: basic('warehouse', 'wrong') } });
  expect(wrong.status).toBe(401);
  // The log is written after the response.
  const logged = ['credentials-refused', ...operationNames.map(idOf)];
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

describe('a function whose policy lacks an action', () => {
  const lacking = operationNames.map(
    (name) => [name, `dynamodb:${operations[name].action}`, idOf(name)] as const,
  );
  let run: LocalRun;
  beforeAll(async () => {
    run = await start((assembly) => {
      for (const [, action, id] of lacking) withhold(assembly, id, action);
    });
  });

  test.each(lacking)(
    '%s without %s is a bland 500, and its log names the action',
    async (name, action, id) => {
      const answer = await request(run, name);
      expect(answer.status).toBe(500);
      expect(answer.text).not.toMatch(/not authorized|arn:|dynamodb/);
      await untilLogged(
        run,
        new RegExp(
          `AccessDeniedException.+User: arn:aws:sts::000000000000:assumed-role/[^ ]+${id}Role[^ ]+ is not authorized to perform: ${action} on resource: arn:aws:dynamodb:eu-central-1:000000000000:table/[^ ]+ because no identity-based policy allows the ${action} action`,
        ),
      );
    },
  );

  test('the authorizer without secretsmanager:GetSecretValue makes every operation a 503', async () => {
    const closed = await start((assembly) =>
      withhold(assembly, 'Authorizer', 'secretsmanager:GetSecretValue'),
    );
    expectProblem(await request(closed, 'get-material-codes'), 503);
    await untilLogged(
      closed,
      /is not authorized to perform: secretsmanager:GetSecretValue on resource: arn:aws:secretsmanager:/,
    );
    await closed.stop();
  });
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
    });
  });

  test.each([
    ['on another resource does not help', 'post-change', 500],
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
