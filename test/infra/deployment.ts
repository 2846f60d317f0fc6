import { INFREQUENT_FROM_DAYS } from '../../infra/data/tables.ts';
import type { Template } from '../../local/synthesis/assembly.ts';
import { TemplateStack } from '../../local/synthesis/stack.ts';
import { keysOf, mapValues } from '../../shared/object-keys.ts';
import { operations } from '../../shared/operations.ts';
import type { TableName } from '../../shared/tables.ts';
import { onlyMatch } from '../support/assembly.ts';
import { sampleSettings } from './sample-settings.ts';
import { templateOf } from './template.ts';

/** The stack of these settings, read as CloudFormation would deploy it. */
export const deploymentOf = (settings: unknown = {}) => deployed(templateOf(settings));

/** Several tests share these syntheses, too. Each setting is there for the test that names it. */
export const mixedSettings = {
  likeDefault: {
    throttle: sampleSettings.everything.throttle,
    plans: { ...sampleSettings.everything.plans, slow: {} },
    logRetentionDays: 7,
    snapshotRetentionDays: INFREQUENT_FROM_DAYS,
    backup: { dailyFor: 1, monthlyFor: 1 },
  },
  otherAddresses: {
    allowedCidrs: sampleSettings.everything.allowedCidrs,
    ipv6: true,
    snapshotRetentionDays: INFREQUENT_FROM_DAYS - 1,
    backup: { dailyFor: 1, monthlyFor: 5 },
  },
  slower: { plans: { slow: { rate: 0.05 } }, backup: { dailyFor: 1, monthlyFor: 11 } },
};

/** The stacks that most tests share. */
export const sample = (name: keyof typeof sampleSettings) => deploymentOf(sampleSettings[name]);

type Options = { DependsOn?: string | string[]; DeletionPolicy?: string; UpdateReplacePolicy?: string };

export const deployed = (template: Record<string, unknown>) => {
  const { Resources } = template as { Resources: Record<string, Options> };
  const stack = new TemplateStack('Stack', template as Template);
  /** The resources of a type, with every reference replaced by its target. */
  const resources = <Properties>(wanted: string) =>
    stack.ofType(wanted).map(({ id, properties }) => {
      const { DependsOn = [], DeletionPolicy, UpdateReplacePolicy } = Resources[id] ?? {};
      return {
        id,
        ref: stack.ref(id),
        arn: stack.attribute(id, 'Arn'),
        properties: properties as Properties,
        dependsOn: [DependsOn].flat(),
        deletionPolicy: DeletionPolicy,
        updateReplacePolicy: UpdateReplacePolicy,
      };
    });
  const only = <Properties>(type: string) => onlyMatch(resources<Properties>(type), () => true, type);
  /** `pinned.test.ts` compares the keys of each table. */
  const table = (name: TableName) =>
    onlyMatch(resources('AWS::DynamoDB::GlobalTable'), ({ id }) => id.startsWith(`Tables${name}`), name);
  return { template, resources, only, table, outputs: stack.outputs };
};
export type Deployment = ReturnType<typeof deployed>;

type FunctionProperties = {
  Runtime: string;
  Architectures: string[];
  Handler: string;
  MemorySize: number;
  ReservedConcurrentExecutions?: number;
  Timeout: number;
  Role: string;
  LoggingConfig: { LogFormat: string; LogGroup: string };
  Environment: { Variables: Record<string, string> };
  Code: { S3Key: string };
};

const others = { authorizer: undefined, watch: undefined };
export const functionNames = keysOf({ ...others, ...operations });
export type FunctionName = (typeof functionNames)[number];

/** The functions by the names of their files. The tests of the interface prove which of them the gateway calls. */
export const functionsOf = ({ resources }: Deployment) => {
  const functions = resources<FunctionProperties>('AWS::Lambda::Function');
  const find = (name: FunctionName) => {
    const prefix = `${name.replaceAll('-', '')}function`;
    return onlyMatch(functions, ({ id }) => id.toLowerCase().startsWith(prefix), name);
  };
  return mapValues({ ...others, ...operations }, find);
};

type Schedule = { ScheduleExpression?: string; State: string; Targets: object[] };

export const scheduleOf = ({ resources }: Deployment) =>
  onlyMatch(
    resources<Schedule>('AWS::Events::Rule'),
    ({ properties }) => properties.ScheduleExpression !== undefined,
  );
