import { beforeAll, describe, expect, test } from 'vitest';
import { startSchedule } from '../../local/schedule.ts';
import { readAssembly } from '../../local/synthesis/assembly.ts';
import { TemplateStack } from '../../local/synthesis/stack.ts';
import { type EditableAssembly, editedAssembly } from '../support/assembly.ts';
import { addClient } from '../support/clients.ts';
import { type LocalRun, postControl, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';

describe('a run of the watch by the control server', () => {
  let run: LocalRun;
  let tables: TableReader;
  beforeAll(async () => {
    run = await startLocal();
    tables = new TableReader(run.outputs());
  });

  const runAt = async (time: string) => {
    run.output.messages = '';
    expect((await postControl(run, '/watch', { time })).json()).toEqual({ time });
    return run.output.messages;
  };

  test('publishes what its function finds to the terminal and the log, and the same when it is repeated', async () => {
    const watched = { SilenceFrom: '2026-11-17T05:30:00.000Z', SilenceHours: 24 };
    await addClient(tables.client, tables.names['Clients'] ?? '', 'silo-7', watched);
    const message = await runAt('2026-11-18T06:05:00Z');
    expect(message).toMatch(/silo-7 .*2026-11-18 05:30 UTC/);
    expect(run.functionsLog()).toMatch(/^\S+MonitoringAlarms\S+ \{.*silo-7 .*05:30 UTC/m);
    expect(await runAt('2026-11-18T06:59:59Z')).toBe(message);
    expect(await runAt('2026-11-18T07:05:00Z')).toBe('');
  });

  test('without a time is one for now', async () => {
    const { time } = (await postControl(run, '/watch', {})).json();
    expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(60_000);
  });
});

/** The schedule of the template at this time, with a timer that ends when the test says so. */
const startAt = async (time: string, edit: (assembly: EditableAssembly) => void = () => {}) => {
  const { stackName, template } = readAssembly(await editedAssembly(edit));
  const calls: string[] = [];
  let now = Date.parse(time);
  let timer = { ms: 0, end: () => {} };
  const wait = (ms: number) =>
    new Promise<void>((end) => {
      timer = { ms, end };
    });
  const invoke = async (arn: string, event: string) => {
    calls.push(`${arn.split(':').at(-1)} ${event}`);
    return { response: 'null' };
  };
  const stack = new TemplateStack(stackName, template);
  const { callAll } = startSchedule(stack, { invoke }, { now: () => now, wait });
  const endTimer = async (lateMs: number) => {
    now += timer.ms + lateMs;
    timer.end();
    await new Promise(setImmediate);
  };
  return { calls, endTimer, callAll };
};

describe('the schedule of the template', () => {
  test('runs the watch at minute 5 of each hour with this time, also if its timer ends early or late', async () => {
    const { calls, endTimer } = await startAt('2026-11-18T06:05:00Z');
    for (const lateMs of [-1, 0, 3 * 3_600_000, 0]) await endTimer(lateMs);
    expect(calls).toEqual(
      ['07:05', '08:05', '09:05', '13:05'].map((time) =>
        expect.stringMatching(new RegExp(`WatchFunction\\w+ {"time":"2026-11-18T${time}:00.000Z"}$`)),
      ),
    );
  });

  test.each<[string, (permission: Record<string, unknown>) => void]>([
    ['another function', (permission) => Object.assign(permission, { FunctionName: 'arn:aws:lambda:other' })],
    ['another service', (permission) => Object.assign(permission, { Principal: 'apigateway.amazonaws.com' })],
    ['another rule', (permission) => Object.assign(permission, { SourceArn: 'arn:aws:events:*:rule/other' })],
  ])('does not call the watch if its permission is for %s, and a run by hand says so', async (_, change) => {
    const edit = ({ resource }: EditableAssembly) =>
      change(resource('AWS::Lambda::Permission', 'Monitoring').Properties);
    const { calls, endTimer, callAll } = await startAt('2026-11-18T06:05:00Z', edit);
    await endTimer(0);
    const errorMessage = expect.stringMatching(
      /^events\.amazonaws\.com is not authorized to perform: lambda:InvokeFunction on resource: .*Watch/,
    );
    expect(await callAll('2026-11-18T06:05:00Z')).toEqual([
      { error: { errorType: 'AccessDeniedException', errorMessage } },
    ]);
    expect(calls).toEqual([]);
  });

  test('stops the start if it has another form', async () => {
    const edit = ({ resource }: EditableAssembly) => {
      resource('AWS::Events::Rule').Properties['ScheduleExpression'] = 'rate(1 hour)';
    };
    const words = /does not support the AWS::Events::Rule .*EveryHour/;
    await expect(startAt('2026-11-18T06:05:00Z', edit)).rejects.toThrow(words);
  });
});
