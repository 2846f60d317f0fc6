import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from './startup-error.ts';

/** The parts of a CloudFormation template that the local run reads. */
export type Template = {
  Parameters?: Record<string, { Default?: unknown }>;
  Resources: Record<string, TemplateResource>;
  Outputs?: Record<string, { Value: unknown; Description?: string }>;
};

export type TemplateResource = {
  Type: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, unknown>;
};

/** The output of a synthesis: its folder, which has the bundles, and its only stack. */
export type Assembly = { folder: string; stackName: string; template: Template };

/** Synthesizes with the command that a deployment uses, without its checks by the rules of AWS, which take seconds. */
export const synthesize = async (folder: string, stage?: string) => {
  const stageOption = stage === undefined ? [] : ['--context', `stage=${stage}`];
  const cdk = spawn('npx', ['--no-install', 'cdk', 'synth', '--quiet', '--output', folder, ...stageOption], {
    env: { ...process.env, CDK_VALIDATION: 'false' },
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  const output: Buffer[] = [];
  cdk.stderr.on('data', (chunk) => output.push(chunk));
  const [status] = await once(cdk, 'close');
  if (status !== 0)
    throw new StartupError(`The synthesis failed:\n${Buffer.concat(output).toString().trim()}`);
};

type Manifest = {
  artifacts: Record<string, { type: string; properties?: { templateFile?: string } }>;
};

export const readAssembly = (folder: string): Assembly => {
  const manifest: Manifest = readJson(join(folder, 'manifest.json'));
  const stacks = Object.entries(manifest.artifacts).filter(
    ([, { type }]) => type === 'aws:cloudformation:stack',
  );
  const [stack, ...others] = stacks;
  if (!stack || others.length > 0)
    throw new StartupError(`${folder} holds ${stacks.length} stacks; one is expected.`);
  const [stackName, { properties }] = stack;
  return { folder, stackName, template: readJson(join(folder, properties?.templateFile ?? '')) };
};

const readJson = (path: string) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new StartupError(`${path} cannot be read; it is made by a synthesis.`);
  }
};
