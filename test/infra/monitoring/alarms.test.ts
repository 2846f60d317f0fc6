import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/operations.ts';
import { deploymentOf } from '../deployment.ts';
import { functionNames, functionsOf } from '../gateway.ts';
import { type AlarmProperties, goesOff, watchedBy } from './alarm-state.ts';

const deployment = deploymentOf({
  stackName: 'Warehouse-North',
  clients: ['wms', { name: 'erp', silenceHours: 6 }, { name: 'doctor', silenceHours: 0 }],
  alarms: { silenceHours: 48, wrongCredentialsPerHour: 7 },
});
const alarms = deployment
  .resources<AlarmProperties>('AWS::CloudWatch::Alarm')
  .map(({ properties }) => properties);
const alarmsOn = (metric: string, dimensions: Record<string, string> = {}) =>
  alarms.filter((alarm) => {
    const watched = watchedBy(alarm);
    return (
      watched.metric === metric &&
      Object.entries(dimensions).every(([name, value]) => watched.dimensions[name] === value)
    );
  });
const alarmOn = (metric: string, dimensions: Record<string, string> = {}) => {
  const [alarm, ...others] = alarmsOn(metric, dimensions);
  if (!alarm || others.length > 0) throw new Error(`${others.length + 1} alarms are on ${metric}.`);
  return alarm;
};
const functions = functionsOf(deployment);
const stage = { ApiName: 'Warehouse-North', Stage: deployment.only('AWS::ApiGateway::Stage').ref };
const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

describe('every alarm', () => {
  it.each(alarms.map((alarm) => [alarm.AlarmDescription, alarm] as const))(
    'says what happened, who suffers and where to read on: %s',
    (text) => {
      expect(text).toMatch(/^[A-Z].+\. Impact: [A-Z].+\. What to do: docs\/runbook\.md#[a-z-]+$/);
      expect(headings).toContain(text.split('#')[1]);
      expect(text.length).toBeLessThanOrEqual(1_024);
    },
  );

  it('goes to the one topic, when it goes off and when it is over', () => {
    const { ref } = deployment.only('AWS::SNS::Topic');
    for (const { AlarmActions, OKActions } of alarms) {
      expect([AlarmActions, OKActions]).toEqual([[ref], [ref]]);
    }
    expect(deployment.outputs['AlarmTopicArn']).toBe(ref);
  });

  it.each([
    [0, 0],
    [6, 2],
  ])(
    'of silence is there where silence after %i h is asked for; that of refused batches in any case',
    (silenceHours, silences) => {
      const own = deploymentOf({ clients: ['wms', 'erp'], alarms: { silenceHours } });
      const watched = own
        .resources<AlarmProperties>('AWS::CloudWatch::Alarm')
        .map(({ properties }) => watchedBy(properties).metric);
      expect(watched.filter((metric) => metric.endsWith(' Snapshots'))).toHaveLength(silences);
      expect(watched.filter((metric) => metric.endsWith(' RefusedBatches'))).toHaveLength(2);
    },
  );

  it('names the runbook where the deployment has its own', () => {
    const own = deploymentOf({ alarms: { runbook: 'https://wiki.example.com/warehouse' } });
    for (const { properties } of own.resources<AlarmProperties>('AWS::CloudWatch::Alarm')) {
      expect(properties.AlarmDescription).toMatch(/ https:\/\/wiki\.example\.com\/warehouse#[a-z-]+$/);
    }
  });
});

describe('an entry of the runbook', () => {
  it.each(headings)(
    'is there for an alarm, and says what it means, where to look and what to do: %s',
    (heading) => {
      expect(alarms.map(({ AlarmDescription }) => AlarmDescription.split('#')[1])).toContain(heading);
      const entry = runbook.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
      const [meaning, look, act] = ['**What it means.**', '**Look at**', '**Do'].map((part) =>
        entry.indexOf(part),
      );
      expect([meaning, look, act]).not.toContain(-1);
      expect([meaning, look, act].toSorted((one = 0, other = 0) => one - other)).toEqual([
        meaning,
        look,
        act,
      ]);
      expect(entry).toContain('```sh\n');
    },
  );

  it('has commands that name a log of the stack, each exactly one', () => {
    const logs = deployment.resources('AWS::Logs::LogGroup').map(({ id }) => id);
    const named = [...runbook.matchAll(/\blogs (?:for )?([A-Z][A-Za-z]+) /g)].map(([, name = '']) => name);
    expect(new Set(named).size).toBeGreaterThan(3);
    const looped = /for name in ([A-Za-z ]+);/.exec(runbook)?.[1]?.split(' ') ?? [];
    expect(looped).toHaveLength(5);
    for (const name of [...named.filter((each) => each !== 'NAME'), ...looped]) {
      expect(
        logs.filter((id) => id.startsWith(name)),
        name,
      ).toHaveLength(1);
    }
  });
});

describe('an alarm is on', () => {
  it('answers with a status of 500 or more, from the first', () => {
    const alarm = alarmOn('AWS/ApiGateway 5XXError', stage);
    expect(watchedBy(alarm)).toMatchObject({ statistic: 'Sum', seconds: 300 });
    expect([goesOff(alarm, [0]), goesOff(alarm, [undefined]), goesOff(alarm, [1])]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each(functionNames)('errors of the function %s, and of the authorizer as what they are', (name) => {
    const alarm = alarmOn('AWS/Lambda Errors', { FunctionName: functions[name].ref });
    expect(watchedBy(alarm).statistic).toBe('Sum');
    expect([goesOff(alarm, [0]), goesOff(alarm, [undefined]), goesOff(alarm, [1])]).toEqual([
      false,
      false,
      true,
    ]);
    expect(alarm.AlarmDescription.endsWith('#authorizer-failures')).toBe(name === 'authorizer');
  });

  it.each(functionNames)('throttles of the function %s', (name) => {
    const alarm = alarmOn('AWS/Lambda Throttles', { FunctionName: functions[name].ref });
    expect([goesOff(alarm, [0]), goesOff(alarm, [undefined]), goesOff(alarm, [1])]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each(functionNames)('the time of the function %s, before it is over', (name) => {
    const alarm = alarmOn('AWS/Lambda Duration', { FunctionName: functions[name].ref });
    const limit = functions[name].properties.Timeout * 1_000;
    expect(watchedBy(alarm).statistic).toBe('Maximum');
    expect(goesOff(alarm, [limit * 0.69])).toBe(false);
    expect(goesOff(alarm, [limit * 0.71])).toBe(true);
    expect(alarm.AlarmDescription).toContain(`of its ${limit / 1_000} s.`);
  });

  it.each(Object.values(operations))(
    'throttles of the table $table, which an operation uses by $action',
    (operation) => {
      const TableName = String(deployment.outputs[`${operation.table}TableName`]);
      const metric = { Scan: 'ReadThrottleEvents', PutItem: 'WriteThrottleEvents' }[operation.action];
      const alarm = alarmOn(`AWS/DynamoDB ${metric}`, { TableName });
      expect(watchedBy(alarm).expression).toMatch(/^FILL\(\w+, 0\)$/);
      expect([goesOff(alarm, [0]), goesOff(alarm, [undefined]), goesOff(alarm, [1])]).toEqual([
        false,
        false,
        true,
      ]);
    },
  );

  it('wrong credentials of a warehouse that reports every quarter of an hour, once it is no single mistake', () => {
    const [alarm] = alarmsOn('Warehouse-North WrongCredentials').filter(({ Period }) => Period === 900);
    if (!alarm) throw new Error('There is no such alarm.');
    expect(watchedBy(alarm)).toMatchObject({ dimensions: {}, statistic: 'Sum' });
    const none = undefined;
    expect(goesOff(alarm, [1, 1, 1, 1])).toBe(true);
    expect(goesOff(alarm, [1, none, 2, 1])).toBe(true);
    expect(goesOff(alarm, [none, none, 40, 4])).toBe(false);
  });

  it('a rise of wrong credentials, from as many an hour as are set', () => {
    const [alarm] = alarmsOn('Warehouse-North WrongCredentials').filter(({ Period }) => Period === 3_600);
    if (!alarm) throw new Error('There is no such alarm.');
    expect(watchedBy(alarm)).toMatchObject({ dimensions: {}, statistic: 'Sum' });
    expect([goesOff(alarm, [6]), goesOff(alarm, [undefined]), goesOff(alarm, [7])]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each(['wms', 'erp'])('a refused batch of the client %s, for the hour in which it was', (client) => {
    const alarm = alarmOn('Warehouse-North RefusedBatches', { client });
    expect(watchedBy(alarm)).toMatchObject({ statistic: 'Sum', seconds: 3_600 });
    expect([goesOff(alarm, [1, undefined]), goesOff(alarm, [undefined, 1])]).toEqual([false, true]);
    expect(alarm.AlarmDescription).toContain(client);
  });

  it.each([
    ['wms', 48],
    ['erp', 6],
  ])('the silence of the client %s, after %i hours without a batch', (client, hours) => {
    const alarm = alarmOn('Warehouse-North Snapshots', { client });
    expect(watchedBy(alarm)).toMatchObject({ statistic: 'Sum', seconds: 3_600 });
    const silent = Array<undefined>(hours).fill(undefined);
    expect(goesOff(alarm, [1, ...silent])).toBe(true);
    expect(goesOff(alarm, [1, ...silent.slice(1)])).toBe(false);
    expect(goesOff(alarm, [...silent, 1])).toBe(false);
    expect(alarm.AlarmDescription).toContain(`${client} was kept for ${hours} h`);
  });

  it('nothing of a client from which no batches are awaited', () => {
    expect(alarmsOn('Warehouse-North Snapshots', { client: 'doctor' })).toEqual([]);
    expect(alarmsOn('Warehouse-North RefusedBatches', { client: 'doctor' })).toEqual([]);
  });

  it('these and nothing else', () => {
    expect(alarms).toHaveLength(1 + 2 + 3 * functionNames.length + 4 + 2 + 2);
  });
});

describe('the topic', () => {
  type Statement = { Effect: string; Principal: unknown; Action: string; Condition: Record<string, unknown> };

  it("takes messages of this account's alarms, over TLS, and of nobody else", () => {
    const { PolicyDocument } = deployment.only<{ PolicyDocument: { Statement: Statement[] } }>(
      'AWS::SNS::TopicPolicy',
    ).properties;
    const statements = PolicyDocument.Statement.map(({ Effect, Principal, Action, Condition }) => ({
      Effect,
      Principal,
      Action,
      Condition,
    }));
    expect(statements).toEqual([
      {
        Effect: 'Deny',
        Principal: '*',
        Action: 'sns:Publish',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Condition: {
          StringEquals: { 'aws:SourceAccount': '123456789012' },
          ArnLike: { 'aws:SourceArn': 'arn:aws:cloudwatch:ap-southeast-2:123456789012:alarm:*' },
        },
      },
    ]);
  });

  it('writes to nobody where no address is set, and else to that one', () => {
    expect(deployment.resources('AWS::SNS::Subscription')).toEqual([]);
    const own = deploymentOf({ alarms: { email: 'admins@example.com' } });
    expect(own.only('AWS::SNS::Subscription').properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'admins@example.com',
      TopicArn: own.only('AWS::SNS::Topic').ref,
    });
  });
});
