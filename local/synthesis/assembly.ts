import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../startup-error.ts';

export type Template = {
  Resources: Record<string, TemplateResource>;
  Outputs?: Record<string, { Value: unknown }>;
};

export type TemplateResource = {
  Type: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, unknown>;
};

/** The output of a synthesis. The folder contains the bundles. */
export type Assembly = { folder: string; stackName: string; template: Template };

type Artifact = { type: string; properties?: { templateFile?: string } };

export const readAssembly = (folder: string): Assembly => {
  const { artifacts }: { artifacts: Record<string, Artifact> } = readFile(join(folder, 'manifest.json'));
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  const [stack, ...others] = stacks;
  if (!stack || others.length > 0)
    throw new StartupError(`${folder} contains ${stacks.length} stacks instead of one.`);
  const [stackName, { properties }] = stack;
  return { folder, stackName, template: readFile(join(folder, properties?.templateFile ?? '')) };
};

const readFile = (path: string) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new StartupError(`${path} cannot be read. Create it with: npx cdk synth`);
  }
};
