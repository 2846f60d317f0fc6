import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedFolders } from './processes.ts';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

export const cdkJson: { app: string; context: Record<string, unknown> } = JSON.parse(
  readFileSync(join(projectFolder, 'cdk.json'), 'utf8'),
);

export type Result = { exitCode: number; stdout: string; stderr: string };

/** The CDK command adds this context, so that the template names each bundle and each construct. */
const METADATA = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true };

type Run = {
  outdir: string;
  settings: unknown;
  stage?: string;
  bundling?: boolean;
  /** The CDK's own validation of the template and cdk-preflight, which take seconds. cdk-nag runs in any case. */
  validation?: boolean;
};

export const NO_VALIDATION = { CDK_VALIDATION: 'false' };

/** Runs the app as `cdk synth` does, but without an account, a region, credentials, or a PATH with Docker. */
export const runApp = ({ outdir, settings, stage, bundling = false, validation = false }: Run) => {
  const context = {
    ...cdkJson.context,
    ...METADATA,
    'warehouse-control': settings,
    ...(stage ? { stage } : {}),
    ...(bundling ? {} : { 'aws:cdk:bundling-stacks': [] }),
  };
  return run(process.execPath, ['infra/app.ts'], {
    CDK_OUTDIR: outdir,
    CDK_CONTEXT_JSON: JSON.stringify(context),
    ...(validation ? {} : NO_VALIDATION),
  });
};

export const run = (file: string, args: string[], env: Record<string, string>) =>
  new Promise<Result>((resolve) => {
    const options = { cwd: projectFolder, env: { ...sharedFolders(), ...env } };
    const child = execFile(file, args, options, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
  });
