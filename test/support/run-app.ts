import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

export const cdkJson: { app: string; context: Record<string, unknown> } = JSON.parse(
  readFileSync(join(projectFolder, 'cdk.json'), 'utf8'),
);

export type Result = { exitCode: number; stdout: string; stderr: string };

/** What the command asks for beyond cdk.json: where a bundle lies, and of which construct a resource is. */
const METADATA = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true };

type Run = {
  /** Where the templates and bundles go. */
  outdir: string;
  settings: unknown;
  stage?: string;
  /** As the CDK's command line tells it of the current credentials. */
  account?: string;
  bundling?: boolean;
  /** A module that is loaded before the app. */
  preload?: string;
};

/**
 * Runs the app as `cdk synth` does. There is nothing in its environment: no account, no region, no credentials, and
 * no PATH on which it could find Docker. What Node has compiled before is all that it finds.
 */
export const runApp = ({ outdir, settings, stage, account, bundling = false, preload }: Run) => {
  const context = {
    ...cdkJson.context,
    ...METADATA,
    'warehouse-control': settings,
    ...(stage ? { stage } : {}),
    ...(bundling ? {} : { 'aws:cdk:bundling-stacks': [] }),
  };
  return run(process.execPath, [...(preload ? ['--import', preload] : []), 'infra/app.ts'], {
    CDK_OUTDIR: outdir,
    CDK_CONTEXT_JSON: JSON.stringify(context),
    ...(account ? { CDK_DEFAULT_ACCOUNT: account } : {}),
  });
};

export const run = (file: string, args: string[], env: Record<string, string>) =>
  new Promise<Result>((resolve) => {
    const child = execFile(
      file,
      args,
      { cwd: projectFolder, env: { ...compileCache(), ...env } },
      (_, stdout, stderr) => {
        resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
      },
    );
  });
