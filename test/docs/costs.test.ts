import { readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { assumptions } from '../../bench/costs/assumptions.ts';
import { coldShare, gbSeconds, onLambda, waitMs } from '../../bench/costs/billed.ts';
import { documentOf } from '../../bench/costs/document.ts';
import { readMeasured } from '../../bench/costs/measured.ts';
import { mix, monthOf, storedGb } from '../../bench/costs/month.ts';
import {
  chargesOf,
  costBy,
  costOf,
  factsOf,
  GB,
  operationOf,
  type Price,
  WARM,
} from '../../bench/costs/request.ts';
import { atOnce, firstMet, needsOf } from '../../bench/costs/rush.ts';
import { batchName } from '../../bench/costs/scenarios.ts';
import { standingOf } from '../../bench/costs/templates.ts';
import { CLIENT } from '../../bench/harness/events.ts';
import { startRecorder } from '../../bench/harness/recorder.ts';
import { itemBytes, readUnits, storedBytes, writeUnits } from '../../bench/harness/rules.ts';
import { tablesOf } from '../../bench/harness/tables.ts';
import { createHandler } from '../../functions/post-material-stock-balance.ts';
import { priceList } from '../../infra/monitoring/price-list.ts';
import type { Template } from '../../local/assembly.ts';
import { countedBy, type MetricName } from '../../shared/metrics.ts';
import { operations } from '../../shared/operations.ts';
import { snapshotStore } from '../../shared/storage/snapshot-store.ts';
import { templateOf } from '../infra/template.ts';
import { batchOf } from '../support/batches.ts';
import { collectLog, post } from '../support/handlers.ts';
import { testClient } from '../support/tables.ts';

collectLog();

const measured = readMeasured();
const { prices } = priceList;
const batchOf200 = operationOf(measured, batchName(200));

describe('docs/costs.md', () => {
  test('says what follows from the measurement and the prices', () => {
    const written = readFileSync(new URL('../../docs/costs.md', import.meta.url), 'utf8');
    expect(written, 'npm run costs writes it anew').toBe(documentOf(measured));
  });

  test.each([1, 200])('records the write units that the engine takes for a batch of %i', async (entries) => {
    const recorder = await startRecorder(inject('dynamoDbEndpoint'));
    const table = await tablesOf(inject('dynamoDbEndpoint')).create('post-material-stock-balance');
    const handler = createHandler({
      snapshots: snapshotStore(testClient(recorder.endpoint), table),
      now: () => new Date('2026-11-21T10:31:50.217Z'),
      unique: () => '0123456789ab',
    });
    const { status } = await post(handler, batchOf(entries), { client: CLIENT });
    const calls = recorder.take();
    recorder.stop();
    expect(status).toBe(200);
    const recorded = operationOf(measured, batchName(entries));
    expect(calls, 'npm run costs -- --measure counts them anew').toEqual([
      expect.objectContaining({
        engineUnits: recorded.engineUnits,
        units: recorded.writeUnits,
        bytes: recorded.itemBytes,
      }),
    ]);
  });

  test.each(['one', 'full'] as const)(
    'counts the alarms, secrets and filters of the template as it is now: %s',
    (which) => {
      const count = which === 'one' ? 1 : assumptions.clientsPerDeployment.value;
      const clients = Array.from({ length: count }, (_, index) => `warehouse-${index + 1}`);
      const template: Template = JSON.parse(JSON.stringify(templateOf({ clients }).toJSON()));
      expect(readMeasured().standing[which], 'npm run costs -- --measure measures anew').toEqual(
        standingOf(template),
      );
    },
  );

  test.each(mix)('measures $name, which it charges a month with', ({ name }) => {
    const { function: served, items, writeUnits: written, readUnits: read } = operationOf(measured, name);
    expect(factsOf(measured, served).memoryMb).toBeGreaterThan(0);
    if (served.startsWith('post-')) {
      expect({ items, read }).toEqual({ items: 1, read: 0 });
      expect(written).toBeGreaterThan(0);
    } else {
      expect({ items, written }).toEqual({ items: assumptions.listRows.value, written: 0 });
      expect(read).toBeGreaterThan(0);
    }
  });

  test('charges nothing that was not measured', () => {
    expect(() => operationOf(measured, 'anything else')).toThrow('anything else');
  });

  test('records as many metrics as the functions count', () => {
    const ofEveryHour: MetricName[] = ['Snapshots', 'Entries', 'Changes'];
    const ofRefusals: MetricName[] = ['RefusedRequests', 'WrongCredentials'];
    expect([...ofEveryHour, ...ofRefusals].toSorted()).toEqual(Object.keys(countedBy).toSorted());
    const withBody = Object.values(operations).filter(({ method }) => method === 'POST').length;
    const numberOf = (names: MetricName[], isPerClient: boolean) =>
      names
        .flatMap((name) => countedBy[name])
        .filter((fields) => fields.includes('client') === isPerClient)
        .reduce((sum, fields) => sum + (fields.includes('operation') ? withBody : 1), 0);
    expect(measured.metrics, 'npm run costs -- --measure counts them anew').toEqual({
      perClient: numberOf(ofEveryHour, true),
      perDeployment: numberOf(ofEveryHour, false),
      ofRefusalsPerClient: numberOf(ofRefusals, true),
      ofRefusalsPerDeployment: numberOf(ofRefusals, false),
    });
  });
});

describe('the price list', () => {
  /** The power of ten from which on each is: of what is counted by the million, of GB, and of what is paid by the month. */
  const magnitudes: Record<Price, number> = {
    apiRequest: 1e-6,
    lambdaRequest: 1e-7,
    lambdaGbSecond: 1e-5,
    writeUnit: 1e-7,
    readUnit: 1e-7,
    secretCall: 1e-6,
    trace: 1e-6,
    emailNotification: 1e-5,
    firewallRequest: 1e-7,
    dataOutGb: 0.01,
    tableGbMonth: 0.1,
    pitrGbMonth: 0.1,
    tableExportGb: 0.1,
    tableRestoreGb: 0.1,
    logsIngestedGb: 0.1,
    logsStoredGbMonth: 0.01,
    metricMonth: 0.1,
    alarmMonth: 0.1,
    dashboardMonth: 1,
    secretMonth: 0.1,
    firewallMonth: 1,
    firewallRuleMonth: 1,
  };

  test('has no price whose point has slipped', () => {
    const priceNames = Object.keys(magnitudes).filter((name): name is Price => name in prices);
    expect(priceNames).toHaveLength(Object.keys(prices).length);
    for (const name of priceNames) {
      expect(prices[name], name).toBeGreaterThanOrEqual(magnitudes[name]);
      expect(prices[name], name).toBeLessThan(10 * magnitudes[name]);
    }
  });

  test('says of no other prices than its own that they were seen again', () => {
    for (const name of priceList.seenAgain.prices) expect(prices).toHaveProperty(name);
  });
});

describe('units of a table', () => {
  test.each([
    [0, 1],
    [1_024, 1],
    [1_025, 2],
    [18_415, 18],
  ])('writing %i bytes takes %i', (bytes, units) => {
    expect(writeUnits(bytes)).toBe(units);
  });

  test.each([
    [0, 1],
    [4_096, 1],
    [4_097, 2],
    [19_900, 5],
  ])('reading %i bytes consistently takes %i', (bytes, units) => {
    expect(readUnits(bytes)).toBe(units);
  });

  test.each([
    ['a text', { Client: { S: 'wms' } }, 9],
    ['Cyrillic letters', { S: { S: 'Сталь' } }, 11],
    ['zero', { N: { N: '0' } }, 2],
    ['two digits', { N: { N: '12' } }, 3],
    ['digits on both sides of the point', { N: { N: '1234.567' } }, 6],
    ['a negative number', { N: { N: '-0.125' } }, 5],
    ['zeros at the end', { N: { N: '100' } }, 3],
    ['a truth', { B: { BOOL: true } }, 2],
    ['a list', { L: { L: [{ S: 'ab' }, { S: 'c' }] } }, 9],
    ['a map', { M: { M: { ab: { S: 'c' } } } }, 8],
  ])('%s counts by the rules of sizes', (_, item, bytes) => {
    expect(itemBytes(item)).toBe(bytes);
  });
});

describe('time that is billed', () => {
  test('a function of less memory has less of a processor', () => {
    expect(onLambda(10, 512) / onLambda(10, 1_769)).toBeCloseTo(1_769 / 512, 10);
    expect(onLambda(10, 3_000)).toBe(onLambda(10, 1_769));
  });

  test('a second of 1,024 MB is a GB-second', () => {
    expect(gbSeconds(1_000, 1_024)).toBe(1);
    expect(gbSeconds(50, 512)).toBe(0.025);
  });

  test('calls side by side are waited for once', () => {
    const one = waitMs({ calls: 1, callsInTurn: 1 });
    expect(waitMs({ calls: 4, callsInTurn: 1 })).toBe(one);
    expect(waitMs({ calls: 11, callsInTurn: 4 })).toBe(4 * one);
    expect(waitMs({ calls: 0, callsInTurn: 0 })).toBe(0);
  });

  test('the rarer the calls, the more of them find no process', () => {
    expect(coldShare(0)).toBe(1);
    expect(coldShare(60 / assumptions.processKeptMinutes.value)).toBeCloseTo(1 / Math.E, 10);
    expect(coldShare(10_000)).toBeLessThan(1e-9);
  });
});

describe('dollars', () => {
  const charges = chargesOf(measured, batchOf200, WARM);

  test('a batch of 200 writes 18 units', () => {
    expect(costBy(charges, prices, 'Table')).toBeCloseTo(18 * 0.7625e-6, 12);
  });

  test('it is one request to the gateway and its answer to the internet', () => {
    const bytes = batchOf200.answerBytes + 500;
    expect(costBy(charges, prices, 'Gateway')).toBeCloseTo(3.7e-6 + (bytes / GB) * 0.09, 12);
  });

  test('two reads of the secret are 10 dollars a million', () => {
    const reads = charges.filter(({ price }) => price === 'secretCall');
    expect(costOf(reads, prices)).toBeCloseTo(10e-6, 12);
  });

  test('the rows of a month add up, and ten deployments cost ten times one', () => {
    const full = monthOf(measured, prices, 30, 90);
    const ten = monthOf(measured, prices, 300, 90);
    const sum = full.rows.reduce((all, { dollars }) => all + dollars, 0);
    expect(full.total).toBeCloseTo(sum, 8);
    expect(ten.total).toBeCloseTo(10 * full.total, 6);
    expect(full.rows).toContainEqual({ name: 'Secrets', dollars: expect.closeTo(12, 8) });
    expect(full.requests).toBe(30 * (4 + 4 + 1 + 1) * 730);
  });

  test('what expires costs nothing after that', () => {
    const perDay = 30 * 4 * 24 * storedBytes(batchOf200.itemBytes);
    const difference = storedGb(measured, 30) - storedGb(measured, 30, 90);
    expect(difference).toBeCloseTo((perDay * (365 - 90)) / GB, 8);
    const { total, totalWithExpiry } = monthOf(measured, prices, 30, 90);
    expect(total - totalWithExpiry).toBeCloseTo(difference * (0.306 + 0.2448), 8);
  });
});

describe('all at once', () => {
  test('as many functions work as arrive while one of them does', () => {
    expect(atOnce(60, 60, 0.5)).toBe(0.5);
    expect(atOnce(30, 1, 0.5)).toBe(15);
    expect(atOnce(30, 1, 2)).toBe(30);
  });

  test('a second of thirty warehouses is 30 requests of one operation and 540 write units of a deployment', () => {
    const needs = needsOf(measured, { warehouses: 30, seconds: 1, entries: 200 });
    expect(needs).toContainEqual({ limit: 'operation', needed: 30, allowed: 200, times: 200 / 30 });
    expect(needs).toContainEqual({ limit: 'tableWrites', needed: 540, allowed: 4_000, times: 4_000 / 540 });
  });

  test('over a minute the rate of an operation counts, and not its burst', () => {
    const needs = needsOf(measured, { warehouses: 30, seconds: 60, entries: 200 });
    expect(needs).toContainEqual({ limit: 'operation', needed: 0.5, allowed: 100, times: 200 });
  });

  test('more deployments share what the account has, and nothing else', () => {
    const [one, ten] = [30, 300].map((warehouses) =>
      needsOf(measured, { warehouses, seconds: 1, entries: 200 }),
    );
    const needed = (limit: string) =>
      [one, ten].map((needs) => needs?.find((each) => each.limit === limit)?.needed);
    expect(needed('operation')).toEqual([30, 30]);
    expect(needed('gateway')).toEqual([120, 1_200]);
    expect(needed('tableWrites')).toEqual([540, 540]);
  });

  test('the limit that goes into what is needed least often is met first', () => {
    const need = (times: number) => ({ limit: 'operation' as const, needed: 1, allowed: times, times });
    expect(firstMet([need(3), need(0.5), need(7)]).times).toBe(0.5);
  });
});
