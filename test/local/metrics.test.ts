import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../shared/operations.ts';
import { type AlarmProperties, watchedBy } from '../infra/monitoring/alarm-state.ts';
import { fieldsOf } from '../infra/monitoring/log-query.ts';
import { assembly, editedAssembly } from '../support/assembly.ts';
import { batchOf } from '../support/batches.ts';
import { basic, send } from '../support/http-client.ts';
import { disturb, eventually, type LocalRun, startLocal } from '../support/local-run.ts';

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

const FUNCTIONS = ['PostChange', 'GetMaterialCodes', 'GetPurchaseOrders', 'PostMaterialStockBalance'];

let run: LocalRun;
let logged: Line[];
let measured: string[];

beforeAll(async () => {
  const assemblyFolder = await editedAssembly(({ resource }) => {
    // The SDK retries a throttled call until its time limit.
    for (const name of FUNCTIONS) resource('AWS::Lambda::Function', name).Properties['Timeout'] = 5;
  });
  run = await startLocal({ assemblyFolder });
  const changed = await run.post('changes', { Timestamp: '2026-11-21T10:00:00,000Z' });
  const kept = await run.post('material-stock-balance', batchOf(3));
  const refused = await run.post('material-stock-balance', { MaterialCodes: [] });
  const stranger = await send(run.url('changes'), {
    headers: { Authorization: basic('warehouse', 'wrong') },
  });
  expect([changed, kept, refused, stranger].map(({ status }) => status)).toEqual([200, 200, 400, 401]);
  const lines = () =>
    run
      .functionsLog()
      .split('\n')
      .map((line) => line.slice(line.indexOf('{')))
      .filter((line) => line.startsWith('{'))
      .map((line): Line => JSON.parse(line));
  await disturb(run, { dynamodb: [{ kind: 'throttle' }] });
  const requests = [
    run.get('material-codes'),
    run.get('purchase-orders'),
    run.post('changes', { Timestamp: '2026-11-21T11:00:00,000Z' }),
    run.post('material-stock-balance', batchOf(3)),
  ];
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  await eventually(() => lines().flatMap(measurementsOf).length === 2 + throttled.length);
  logged = lines();
  measured = logged.flatMap(measurementsOf);
});
afterAll(() => run.stop());

const throttled = Object.values(operations).map(({ method, path }) => `${method} ${path}`);

describe("the functions' log", () => {
  test('counts batches by client, throttled requests by operation, and wrong credentials', () => {
    expect(measured.toSorted()).toEqual(
      [
        'WarehouseControl Snapshots {"client":"warehouse"} 1',
        ...throttled.map((operation) => `WarehouseControl ThrottledRequests {"operation":"${operation}"} 1`),
        'WarehouseControl WrongCredentials {} 1',
      ].toSorted(),
    );
  });

  test('has every metric of the alarms of the same template', async () => {
    const watched = (await propertiesIn<AlarmProperties>('AWS::CloudWatch::Alarm'))
      .map(watchedBy)
      .filter(({ metric }) => metric.startsWith('WarehouseControl '))
      // Counted from the access log, which only the platform writes.
      .filter(({ metric }) => !/ (RefusedBatches|LimitedRequests|TooManyRequests)$/.test(metric))
      .map(({ metric, dimensions }) => `${metric} ${JSON.stringify(dimensions)} 1`);
    expect(watched).toHaveLength(3 + throttled.length);
    for (const measurement of watched) expect(measured).toContain(measurement);
  });

  test('has the fields of the saved queries', async () => {
    const queries = await propertiesIn<{ QueryString: string }>('AWS::Logs::QueryDefinition');
    const asked = queries.flatMap(({ QueryString }) => {
      const code = /code = "(.+)"/.exec(QueryString)?.[1];
      return code ? [{ code, fields: fieldsOf(QueryString) }] : [];
    });
    expect(asked.map(({ code }) => code)).toEqual(['request-served', 'credentials-refused']);
    for (const { code, fields } of asked) {
      const lines = logged.filter((line) => line['code'] === code);
      const found = lines.flatMap((line) => Object.keys(line));
      expect(found, code).toEqual(expect.arrayContaining(fields));
    }
  });
});

const propertiesIn = async <Properties>(type: string) => {
  type Resource = { Type: string; Properties: Properties };
  const { Resources }: { Resources: Record<string, Resource> } = JSON.parse(
    readFileSync(join(await assembly(), 'WarehouseControl.template.json'), 'utf8'),
  );
  return Object.values(Resources)
    .filter(({ Type }) => Type === type)
    .map(({ Properties }) => Properties);
};
