import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../../infra/app.ts';
import { SETTINGS_KEY } from '../../infra/settings/settings.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { cdkJson, projectFolder } from '../support/run-app.ts';

/** The app of these settings under the feature flags of a deployment, without its bundles and without checks. */
export const appOf = (settings: unknown = {}, environment: NodeJS.ProcessEnv = {}) => {
  const outdir = join(temporaryFolder(), 'assembly');
  const context = {
    ...cdkJson.context,
    [SETTINGS_KEY]: settings,
    'aws:cdk:bundling-stacks': [],
    // Otherwise each synthesis prints its warnings.
    '@aws-cdk/core:annotationsInValidationReport': false,
  };
  const quick = { builtinCloudFormationValidation: false, stackTraces: false, treeMetadata: false };
  const { app, stack } = buildApp({ outdir, context, analyticsReporting: false, ...quick }, environment);
  const synthesize = (): Template => app.synth().getStackArtifact(stack.artifactId).template;
  return { app, stack, outdir, synthesize };
};
export type Template = Record<string, unknown>;

/** The test files of a worker share the templates. When Vitest watches, the worker also outlives a change. */
const shared = Object(globalThis) as { templates?: Map<string, Template> };
const newestChange = Math.max(
  ...globSync('{infra,shared}/**/*.ts', { cwd: projectFolder }).map(
    (file) => statSync(join(projectFolder, file)).mtimeMs,
  ),
);

export const templateOf = (settings: unknown = {}) => {
  shared.templates ??= new Map();
  const key = `${newestChange} ${JSON.stringify(settings)}`;
  const template = shared.templates.get(key) ?? appOf(settings).synthesize();
  shared.templates.set(key, template);
  return template;
};
