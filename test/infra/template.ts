import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { buildApp } from '../../infra/app.ts';
import { SETTINGS_KEY } from '../../infra/settings/settings.ts';
import { onlyMatch, temporaryFolder } from '../support/assembly.ts';
import { cdkJson } from '../support/run-app.ts';

/** Feature flags as in a deployment, without bundles. */
export const propsOf = (settings: unknown) => ({
  outdir: join(temporaryFolder(), 'assembly'),
  context: {
    ...cdkJson.context,
    [SETTINGS_KEY]: settings,
    'aws:cdk:bundling-stacks': [],
    // Otherwise each synthesis prints its warnings.
    '@aws-cdk/core:annotationsInValidationReport': false,
  },
  // All these take time.
  builtinCloudFormationValidation: false,
  stackTraces: false,
  treeMetadata: false,
  analyticsReporting: false,
});

/** The app of these settings, and perhaps of a stage, without checks. */
export const appOf = (settings: unknown = {}, stage?: string) => {
  const props = propsOf(settings);
  const { app, stack } = buildApp({ ...props, context: { ...props.context, stage } }, {});
  const synthesize = (): Template => app.synth().getStackArtifact(stack.artifactId).template;
  return { ...props, app, stack, synthesize };
};
type Template = Record<string, unknown>;

/** All test files of a run share the templates, also those of another worker. */
export const templateOf = (settings: unknown = {}): Template => {
  const name = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
  const path = join(inject('assemblyFolder'), `../template-${name}.json`);
  if (!existsSync(path)) {
    const complete = `${path}.${process.pid}`;
    writeFileSync(complete, JSON.stringify(appOf(settings).synthesize()));
    renameSync(complete, path);
  }
  return jsonOf(path);
};

const jsonOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
export const findingsIn = (path: string) => jsonOf(join(path, 'validation-report.json')).pluginReports;

type Artifact = { type: string; environment?: string; properties?: Record<string, unknown> };
export const stackIn = (path: string) => {
  const { artifacts }: { artifacts: Record<string, Artifact> } = jsonOf(join(path, 'manifest.json'));
  return onlyMatch(Object.values(artifacts), ({ type }) => type === 'aws:cloudformation:stack');
};
