import { beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../shared/clients/password.ts';
import { operationNames, operations } from '../../shared/operations.ts';
import { sample } from '../infra/deployment.ts';
import { fieldsOf } from '../infra/monitoring/log-query.ts';
import { editedAssembly } from '../support/assembly.ts';
import { batchOf } from '../support/batches.ts';
import { addClient } from '../support/clients.ts';
import { basic } from '../support/http-client.ts';
import { eventually, injectFaults, startLocal } from '../support/local-run.ts';
import { functionIdOf, sendRequest } from '../support/operations.ts';
import { TableReader } from '../support/table-reader.ts';

type Line = Record<string, unknown> & {
  _aws?: {
    CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
  };
};

/** The metrics that CloudWatch finds in a line, each as `namespace name {dimensions} value`. */
const measurementsOf = (line: Line) =>
  (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions, Metrics }) =>
    Metrics.flatMap(({ Name }) =>
      Dimensions.map((names) => {
        const dimensions = Object.fromEntries(names.map((name) => [name, line[name]]));
        return `${Namespace} ${Name} ${JSON.stringify(dimensions)} ${line[Name]}`;
      }),
    ),
  );

let logged: Line[];
let measured: string[];

beforeAll(async () => {
  const assemblyFolder = await editedAssembly(({ resource }) => {
    // The function retries a throttled call until its time limit.
    for (const name of operationNames)
      resource('AWS::Lambda::Function', functionIdOf(name)).Properties['Timeout'] = 5;
  });
  const run = await startLocal({ assemblyFolder });
  const { client, names } = new TableReader(run.outputs());
  const now = new Date().toISOString();
  const { Salt: PreviousSalt, Hash: PreviousHash } = hashPassword('previous');
  const previous = { PreviousSalt, PreviousHash, PreviousUntil: '2999-01-01T00:00:00.000Z' };
  await addClient(client, names['Clients'] ?? '', 'changed', previous);
  const locked = await addClient(client, names['Clients'] ?? '', 'locked', { LockedAt: now });
  const removed = await addClient(client, names['Clients'] ?? '', 'removed', { RemovedAt: now });
  const responses = [
    await run.post('changes', { Timestamp: '2026-11-21T10:00:00,000Z' }),
    await run.post('material-stock-balance', batchOf(3)),
    await run.post('material-stock-balance', { MaterialCodes: [] }),
    await run.get('changes', basic('changed', 'previous')),
    await run.get('changes', basic('warehouse', 'wrong')),
    await run.get('changes', basic('locked', locked)),
    await run.get('changes', basic('removed', removed)),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 400, 404, 401, 401, 401]);
  await injectFaults(run, { dynamodb: [{ kind: 'throttle' }] });
  const refused = await Promise.all(operationNames.map((name) => sendRequest(run, name)));
  expect(refused.map(({ status }) => status)).toEqual(operationNames.map(() => 503));
  const ids = [...responses, ...refused].map(({ headers }) => headers['x-amz-apigw-id']);
  await eventually(() => {
    const texts = run.functionsLog().match(/\{.*\}(?=\n)/g) ?? [];
    logged = texts.map((text) => JSON.parse(text));
    return ids.every((id) => logged.some(({ requestId }) => requestId === id));
  });
  measured = logged.flatMap(measurementsOf);
  await run.stop();
});

const throttled = Object.values(operations).map(({ method, path }) => `${method} ${path}`);

test('the log counts throttled requests by operation, and wrong credentials', () => {
  expect(measured.toSorted()).toEqual(
    [
      ...throttled.map((operation) => `WarehouseControl ThrottledRequests {"operation":"${operation}"} 1`),
      'WarehouseControl WrongCredentials {} 1',
    ].toSorted(),
  );
});

test('the log has the fields of the saved queries', () => {
  const queries = sample('default').resources<{ QueryString: string }>('AWS::Logs::QueryDefinition');
  const asked = queries.flatMap(({ properties: { QueryString } }) => {
    const [, codes = ''] = /filter code (?:=|in) (.+)/.exec(QueryString) ?? [];
    const fields = fieldsOf(QueryString);
    return [...codes.matchAll(/"([a-z-]+)"/g)].map(([, code]) => ({ code, fields }));
  });
  expect(asked.map(({ code }) => code)).toEqual([
    ...['request-served', 'credentials-refused', 'previous-password-used', 'client-locked', 'client-removed'],
  ]);
  for (const { code, fields } of asked) {
    const found = logged.filter((line) => line['code'] === code).flatMap((line) => Object.keys(line));
    expect(found, code).toEqual(expect.arrayContaining(fields));
  }
});
