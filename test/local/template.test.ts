import { describe, expect, test } from 'vitest';
import { readApi } from '../../local/gateway/api.ts';
import { startSchedule } from '../../local/schedule.ts';
import { createPermissions } from '../../local/services/permissions.ts';
import { readAssembly } from '../../local/synthesis/assembly.ts';
import { TemplateStack } from '../../local/synthesis/stack.ts';
import { decodePlans, slotKey } from '../../shared/clients/plans.ts';
import { sampleSettings } from '../infra/sample-settings.ts';
import { templateOf } from '../infra/template.ts';
import { attributesCondition, type EditableAssembly, editedAssembly } from '../support/assembly.ts';

const stackOf = async (edit: (assembly: EditableAssembly) => void = () => {}) => {
  const { stackName, template } = readAssembly(await editedAssembly(edit));
  return new TemplateStack(stackName, template);
};

test.each(Object.entries<object>(sampleSettings))(
  'the local run supports the API, the permissions, the schedule and the outputs of the settings "%s"',
  (_, settings) => {
    const stack = new TemplateStack('Warehouse', JSON.parse(JSON.stringify(templateOf(settings))));
    const functions = stack.ofType('AWS::Lambda::Function');
    const authorizer = functions.find(({ id }) => id.startsWith('Authorizer'));
    const { STACK_UUID, PLANS } = Object(authorizer?.properties['Environment']).Variables;
    const keys = decodePlans(PLANS).flatMap(({ name, slots }) =>
      Array.from({ length: slots }, (_, index) => slotKey(STACK_UUID, name, index + 1)),
    );
    expect([...readApi(stack).usagePlans.keys()]).toEqual(keys);
    expect(stack.outputs['Plans']).toBe(PLANS);
    const services = createPermissions(stack).granted.map(({ action }) => action.split(':')[0]);
    expect([...new Set(services)].toSorted()).toEqual(['dynamodb', 'logs', 'sns']);
    startSchedule(stack, { invoke: async () => ({ response: 'null' }) }).stop();
  },
);

/** Changes the first resource of a type. */
const change =
  (type: string, properties: Record<string, unknown>) =>
  ({ resource }: EditableAssembly) =>
    void Object.assign(resource(type).Properties, properties);

const changeStatement =
  (properties: Record<string, unknown>) =>
  ({ statementsOf }: EditableAssembly) =>
    void Object.assign(Object(statementsOf('PostChange')[0]), properties);

const NO_SELECT = { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': [] } };

test.each<[string, (assembly: EditableAssembly) => void, RegExp]>([
  ['an open method', change('AWS::ApiGateway::Method', { AuthorizationType: 'NONE' }), /Expected "CUSTOM"/],
  [
    'API keys from a header',
    change('AWS::ApiGateway::RestApi', { ApiKeySourceType: 'HEADER' }),
    /Expected "AUTHORIZER"/,
  ],
  [
    'a schedule of another form',
    change('AWS::Events::Rule', { ScheduleExpression: 'rate(1 hour)' }),
    /does not support the AWS::Events::Rule .*EveryHour/,
  ],
  ['a policy with another condition', changeStatement({ Condition: { Bool: {} } }), /Condition/],
  ['attributes without dynamodb:Select', changeStatement({ Condition: NO_SELECT }), /Condition/],
  [
    'attributes in a Deny',
    changeStatement({ Effect: 'Deny', Condition: attributesCondition(['Client']) }),
    /A policy of the template .+ does not support:\n.*Condition/s,
  ],
])('a template with %s does not start, because the run does not support it', async (_, edit, words) => {
  const stack = await stackOf(edit);
  const start = () => {
    readApi(stack);
    createPermissions(stack);
    startSchedule(stack, { invoke: async () => ({ response: 'null' }) }).stop();
  };
  expect(start).toThrow(words);
});

/** The schedule of the template at this time, with a timer that ends when the test says so. */
const startAt = async (time: string, edit?: (assembly: EditableAssembly) => void) => {
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
  const { callAll } = startSchedule(await stackOf(edit), { invoke }, { now: () => now, wait });
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

  test.each<[string, Record<string, unknown>]>([
    ['function', { FunctionName: 'arn:aws:lambda:other' }],
    ['service', { Principal: 'apigateway.amazonaws.com' }],
    ['rule', { SourceArn: 'arn:aws:events:*:rule/other' }],
  ])(
    'does not call the watch if its permission is for another %s, and a run by hand says so',
    async (...asked) => {
      const edit = ({ resource }: EditableAssembly) =>
        void Object.assign(resource('AWS::Lambda::Permission', 'Monitoring').Properties, asked[1]);
      const { calls, endTimer, callAll } = await startAt('2026-11-18T06:05:00Z', edit);
      await endTimer(0);
      const errorMessage = expect.stringMatching(
        /^events\.amazonaws\.com is not authorized to perform: lambda:InvokeFunction on resource: .*Watch/,
      );
      expect(await callAll('2026-11-18T06:05:00Z')).toEqual([
        { error: { errorType: 'AccessDeniedException', errorMessage } },
      ]);
      expect(calls).toEqual([]);
    },
  );
});
