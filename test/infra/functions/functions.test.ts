import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mapValues } from '../../../shared/object-keys.ts';
import { projectFolder } from '../../support/run-app.ts';
import { functionNames, functionsOf, sample, scheduleOf } from '../deployment.ts';

const everything = sample('everything');
const functions = functionsOf(sample('default'));

const { version }: { version: string } = JSON.parse(
  readFileSync(join(projectFolder, 'node_modules/node/package.json'), 'utf8'),
);

it.each(functionNames)(
  "%s runs on this project's version of Node and arm64 with one whole processor, and logs JSON",
  (name) => {
    expect(functions[name].properties).toMatchObject({
      Runtime: `nodejs${version.split('.')[0]}.x`,
      Architectures: ['arm64'],
      Handler: 'index.handler',
      LoggingConfig: { LogFormat: 'JSON' },
      MemorySize: 1_769,
    });
  },
);

// test/functions/time-limits.test.ts has the limits of all attempts.
it('the timeouts are longer than the limits of all attempts, and end before the gateway stops waiting', () => {
  const { authorizer, watch, ...operations } = mapValues(
    functions,
    (name) => functions[name].properties.Timeout,
  );
  // Lambda would end a function without a log line.
  expect(authorizer).toBeGreaterThanOrEqual(9);
  expect(watch).toBeGreaterThanOrEqual(115);
  // The gateway waits for 29 s, and needs some time itself.
  expect(authorizer + Math.max(...Object.values(operations))).toBeLessThanOrEqual(28);
  expect(new Set(Object.values(operations))).toEqual(new Set([18]));
});

it.each([
  ['no function', 'default', {}],
  ['only the functions of the setting', 'everything', { authorizer: 60, 'post-material-stock-balance': 15 }],
] as const)('reserved concurrency: %s', (_, settings, reserved) => {
  const own = functionsOf(sample(settings));
  // toEqual ignores what is undefined.
  expect(mapValues(own, (name) => own[name].properties.ReservedConcurrentExecutions)).toEqual(reserved);
});

describe('the environment', () => {
  it('of post-material-stock-balance has the retention days if snapshots expire', () => {
    const { Variables } = functionsOf(everything)['post-material-stock-balance'].properties.Environment;
    expect(Variables['SNAPSHOT_RETENTION_DAYS']).toBe('365');
  });

  it('of the authorizer has the plans, and the id of the stack for the keys of their slots', () => {
    const { Variables } = functionsOf(everything).authorizer.properties.Environment;
    expect(Variables).toMatchObject({
      PLANS: 'standard:3,capped:1,usual:20',
      STACK_UUID: '51af3dc0da7711e4872e1234567db123',
    });
  });

  it('of the watch has the topic, and what its messages name', () => {
    const { Variables } = functionsOf(everything).watch.properties.Environment;
    expect(Variables).toMatchObject({
      ALARM_TOPIC_ARN: everything.only('AWS::SNS::Topic').ref,
      STACK_NAME: 'Warehouse',
      RUNBOOK: 'https://wiki.example.com/warehouse',
    });
  });
});

it('the watch runs at minute 5 of each hour, and EventBridge tries to start it for two hours', () => {
  expect(scheduleOf(everything).properties).toMatchObject({
    ScheduleExpression: 'cron(5 * * * ? *)',
    State: 'ENABLED',
    Targets: [
      {
        Arn: functionsOf(everything).watch.arn,
        RetryPolicy: { MaximumEventAgeInSeconds: 7_200, MaximumRetryAttempts: 2 },
      },
    ],
  });
});
