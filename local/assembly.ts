import { type ChildProcess, spawn } from 'node:child_process';
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

/** What differs from cdk.json: the stage, and settings as JSON text. */
type SynthesisContext = { stage?: string | undefined; 'warehouse-control'?: string | undefined };

/** Synthesizes with the command that a deployment uses, without its checks by the rules of AWS, which take seconds. */
export const synthesize = async (folder: string, signal: AbortSignal, context: SynthesisContext) => {
  signal.throwIfAborted();
  const options = Object.entries(context).flatMap(([key, value]) =>
    value === undefined ? [] : ['--context', quoteForWindows(`${key}=${value}`)],
  );
  const cdk = spawn('npx', ['--no-install', 'cdk', 'synth', '--quiet', '--output', folder, ...options], {
    env: { ...process.env, CDK_VALIDATION: 'false' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group of its own, which the signal ends.
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
  });
  const output: Buffer[] = [];
  cdk.stderr.on('data', (chunk) => output.push(chunk));
  const end = () => endGroup(cdk);
  signal.addEventListener('abort', end);
  const [status] = await once(cdk, 'close');
  signal.removeEventListener('abort', end);
  if (status !== 0)
    throw new StartupError(`The synthesis failed:\n${Buffer.concat(output).toString().trim()}`);
};

/** On Windows, a shell reads the arguments. */
const quoteForWindows = (argument: string) =>
  process.platform === 'win32' ? `"${argument.replaceAll('"', '\\"')}"` : argument;

/** The command starts other processes, which would write to the folder of the next run. */
const endGroup = (command: ChildProcess) => {
  try {
    if (command.pid === undefined || process.platform === 'win32') command.kill();
    else process.kill(-command.pid);
  } catch {
    // The command has already ended.
  }
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
