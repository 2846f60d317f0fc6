import { readFileSync } from 'node:fs';
import { App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { parseSettings } from '../../infra/settings.ts';
import { WarehouseControlStack } from '../../infra/warehouse-control-stack.ts';

const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));

/** The stack of these settings, under the feature flags that a deployment has, without bundling the functions. */
export const stackOf = (settings: unknown = {}) => {
  const app = new App({
    context: { ...context, 'aws:cdk:bundling-stacks': [] },
    // It takes seconds; the test of the command synthesizes with it.
    builtinCloudFormationValidation: false,
  });
  const parsed = parseSettings(settings);
  const stack = new WarehouseControlStack(app, parsed.stackName, { settings: parsed });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return stack;
};

export const templateOf = (settings: unknown = {}) => Template.fromStack(stackOf(settings));
