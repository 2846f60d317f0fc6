import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

export const cdkJson: { app: string; context: Record<string, unknown> } = JSON.parse(
  readFileSync(join(projectFolder, 'cdk.json'), 'utf8'),
);

type Run = {
  /** Where the templates and bundles go. */
  outdir: string;
  settings: unknown;
  bundling?: boolean;
  /** A module that is loaded before the app. */
  preload?: string;
};

/**
 * Runs the app as `cdk synth` does. There is nothing in its environment: no account, no region, no credentials, and
 * no PATH on which it could find Docker.
 */
export const runApp = ({ outdir, settings, bundling = false, preload }: Run) => {
  const context = {
    ...cdkJson.context,
    'warehouse-control': settings,
    ...(bundling ? {} : { 'aws:cdk:bundling-stacks': [] }),
  };
  return run(process.execPath, [...(preload ? ['--import', preload] : []), 'infra/app.ts'], {
    CDK_OUTDIR: outdir,
    CDK_CONTEXT_JSON: JSON.stringify(context),
  });
};

export const run = (file: string, args: string[], env: Record<string, string>) =>
  new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(file, args, { cwd: projectFolder, env }, (_, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
    });
  });
