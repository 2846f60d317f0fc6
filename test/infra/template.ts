import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll } from 'vitest';
import { parseSettings } from '../../infra/settings/stages.ts';
import { WarehouseControlStack } from '../../infra/warehouse-control-stack.ts';

const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The stack of these settings, under the feature flags that a deployment has, without bundling the functions. */
export const stackOf = (settings: unknown = {}) => {
  const app = new App({
    outdir: join(folder, randomUUID()),
    context: {
      ...context,
      'aws:cdk:bundling-stacks': [],
      // Otherwise each synthesis prints its warnings.
      '@aws-cdk/core:annotationsInValidationReport': false,
    },
    // The validation takes seconds, and app.test.ts synthesizes with it.
    builtinCloudFormationValidation: false,
    // These take time too, and no test uses them.
    stackTraces: false,
    treeMetadata: false,
    analyticsReporting: false,
  });
  const parsed = parseSettings(settings);
  const stack = new WarehouseControlStack(app, parsed.stackName, { settings: parsed });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return stack;
};

const templates = new Map<string, Template>();

/** Cached by settings, because tests only read a template. */
export const templateOf = (settings: unknown = {}) => {
  const key = JSON.stringify(settings);
  const template = templates.get(key) ?? Template.fromStack(stackOf(settings));
  templates.set(key, template);
  return template;
};
