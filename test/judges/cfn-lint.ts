import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAssembly } from '../../local/synthesis/assembly.ts';
import { sampleSettings } from '../infra/sample-settings.ts';
import { runApp } from '../support/run-app.ts';
import { installPythonPackage } from './python-package.ts';

/* Synthesizes the default settings and those that set everything, and runs cfn-lint over the templates. */

const VERSION = '1.58.0';

/** W3005 is a DependsOn that the CDK adds although a GetAtt already orders the two resources. */
const LINT = ['--ignore-checks', 'W3005', '--regions', 'eu-central-1', '--'];

const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-'));

/** Returns the path of the template. */
const synthesize = async (name: string, settings: unknown) => {
  const outdir = join(folder, name);
  const { exitCode, stderr } = await runApp({ outdir, settings });
  if (exitCode !== 0) throw new Error(`The synthesis of "${name}" failed:\n${stderr}`);
  return join(outdir, `${readAssembly(outdir).stackName}.template.json`);
};

try {
  const programs = installPythonPackage(`cfn-lint==${VERSION}`);
  const templates: string[] = [];
  for (const name of ['default', 'everything'] as const) {
    templates.push(await synthesize(name, sampleSettings[name]));
  }
  const { status } = spawnSync(join(programs, 'cfn-lint'), [...LINT, ...templates], {
    stdio: 'inherit',
  });
  if (status === 0)
    process.stdout.write(`cfn-lint ${VERSION} finds nothing in ${templates.length} templates.\n`);
  else process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
