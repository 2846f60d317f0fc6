import { test } from 'vitest';
import { composeMessages } from '../../functions/silence/compose-messages.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import { sample } from '../infra/deployment.ts';
import { alarmsIn, conditionOf, watchedBy } from '../infra/monitoring/alarm-state.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';

const at = (time: string) => Date.parse(`2026-11-20T${time}:00.000Z`);

test('what the watch tells', async () => {
  const silence = { lastAt: at('06:40'), lateFrom: at('07:40'), endedAt: undefined, usualGapMs: undefined };
  const late = { ...silence, hasChanged: true };
  const silences = [
    { ...silence, client: 'still-late', hasChanged: false },
    { ...late, client: 'each-minute', usualGapMs: MINUTE_MS },
    { ...late, client: 'nearly-each-minute', usualGapMs: MINUTE_MS / 2 },
    { ...late, client: 'each-15-minutes', usualGapMs: 15 * MINUTE_MS },
    { ...late, client: 'each-119-minutes', usualGapMs: 119 * MINUTE_MS },
    { ...late, client: 'each-2-hours', usualGapMs: 2 * HOUR_MS },
    { ...late, client: 'each-6-hours', usualGapMs: 6.4 * HOUR_MS },
    { ...late, client: 'never', lastAt: undefined },
    { ...late, client: 'back', endedAt: at('08:20') },
    { ...late, client: 'first', lastAt: undefined, endedAt: at('08:30') },
  ];
  const run = { stack: 'Warehouses', runbook: 'https://wiki.example.com/runbook', until: at('09:00') };
  const shown = [
    ...composeMessages({ ...run, silences, isWeekly: false }),
    ...composeMessages({ ...run, silences, isWeekly: true }),
    ...composeMessages({ ...run, silences: [], isWeekly: true }),
    ...composeMessages({ ...run, silences: [], isWeekly: false }),
  ].map(({ Subject, Message }) => `${Subject}\n\n${Message}\n`);
  await expectGolden(shown.join(`${'-'.repeat(80)}\n`), 'service/watch.txt');
});

test('what alarms say, what they watch and when they start', async () => {
  const texts = alarmsIn(sample('everything')).map(({ properties }) => {
    const { metric, dimensions, how, seconds } = watchedBy(properties);
    return [
      properties.AlarmDescription,
      `  ${metric} of ${JSON.stringify(dimensions)}`,
      `  ${how} in ${seconds} s: ${conditionOf(properties)}\n`,
    ].join('\n');
  });
  await expectGolden(texts.toSorted().join('\n'), 'service/alarms.txt');
});

test('what the access log has, what is counted from it, and what saved queries ask of the logs', async () => {
  const { resources, only } = sample('everything');
  type Stage = { AccessLogSetting: { Format: string } };
  const { Format } = only<Stage>('AWS::ApiGateway::Stage').properties.AccessLogSetting;
  const accessLog = Object.entries(JSON.parse(Format)).map((field) => field.join(': '));
  type Counted = { MetricNamespace: string; MetricName: string; MetricValue: string; Dimensions?: object };
  type Filter = { LogGroupName: string; FilterPattern: string; MetricTransformations: Counted[] };
  type Query = { Name: string; LogGroupNames: string[]; QueryString: string };
  const filters = resources<Filter>('AWS::Logs::MetricFilter').map(({ properties }) => {
    const { LogGroupName, FilterPattern, MetricTransformations } = properties;
    return [LogGroupName, FilterPattern, ...MetricTransformations.map((made) => JSON.stringify(made))];
  });
  const queries = resources<Query>('AWS::Logs::QueryDefinition').map(({ properties }) => {
    const { Name, LogGroupNames, QueryString } = properties;
    return [Name, ...LogGroupNames, ...QueryString.split('\n')];
  });
  const shown = [['Access log', ...accessLog], ...filters, ...queries].map(
    (lines) => `${lines.join('\n  ')}\n`,
  );
  await expectGolden(shown.join('\n'), 'service/logs.txt');
});

test('what the gateway responds by itself', async () => {
  type Response = { ResponseType: string; StatusCode?: string } & Record<string, object>;
  const responses = sample('default').resources<Response>('AWS::ApiGateway::GatewayResponse');
  const shown = responses.map(({ properties }) => {
    const { ResponseType, StatusCode, ResponseParameters, ResponseTemplates } = properties;
    const lines = Object.entries({ ...ResponseParameters, ...ResponseTemplates });
    return [`${ResponseType} ${StatusCode}`, ...lines.map((pair) => `  ${pair.join(': ')}`), ''].join('\n');
  });
  await expectGolden(shown.toSorted().join('\n'), 'service/gateway-responses.txt');
});

testEachIsCompared('service');
