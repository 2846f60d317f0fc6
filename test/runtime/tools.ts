import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTools } from '../support/tools.ts';

/** AWS's runtime client. It is not a dependency of the project, because npm would compile its native part. */
const NAME = 'aws-lambda-ric';
const VERSION = '4.0.2';

const folder = fileURLToPath(new URL(`../../node_modules/.cache/${NAME}-${VERSION}`, import.meta.url));

const inClient = (file: string) => join(folder, 'node_modules', NAME, file);

export const RUNTIME_CLIENT = inClient('index.mjs');

/** The client calls `require` with this folder, which Node accepts because of its index.js. */
const NATIVE_PART = inClient('rapid-client.node');
const INDEX = join(NATIVE_PART, 'index.js');

const install = () => {
  mkdirSync(folder, { recursive: true });
  const description = { private: true, dependencies: { [NAME]: VERSION } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--loglevel', 'error'];
  if (spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) return false;
  mkdirSync(NATIVE_PART, { recursive: true });
  const ours = JSON.stringify(import.meta.resolve('./rapid-client.ts'));
  writeFileSync(INDEX, `export * from ${ours};\n`);
  return true;
};

if (import.meta.main) runTools('', () => existsSync(INDEX) || install());
