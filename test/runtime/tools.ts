import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasTools, runTools } from '../tools.ts';

/** AWS's runtime client. It is not a dependency of the project, because it compiles native code. */
const NAME = 'aws-lambda-ric';
const VERSION = '4.0.2';

const COMMANDS = ['cmake', 'autoconf', 'automake', 'libtoolize', 'make', 'g++', 'python3', 'xz'];

/** The packages of Debian and Ubuntu. */
const PACKAGES = 'cmake autoconf automake libtool make g++ python3 xz-utils';

const folder = fileURLToPath(new URL(`../../node_modules/.cache/${NAME}-${VERSION}`, import.meta.url));

const inClient = (file: string) => join(folder, 'node_modules', NAME, file);

export const RUNTIME_CLIENT = inClient('index.mjs');

/** The build downloads Node's headers unless it gets those of an installed Node, of any version. */
const findHeaders = () => {
  const prefixes = (process.env['PATH'] ?? '').split(delimiter).map(dirname);
  const prefix = prefixes.find((candidate) => existsSync(join(candidate, 'include/node/node_api.h')));
  return prefix ? { npm_config_nodedir: prefix } : {};
};

const install = () => {
  mkdirSync(folder, { recursive: true });
  const description = { private: true, dependencies: { [NAME]: VERSION }, allowScripts: { [NAME]: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
  const { status } = spawnSync('npm', ['install', '--prefix', folder, '--loglevel', 'error'], {
    env: { ...process.env, ...findHeaders() },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
};

/** Returns false if the client cannot be installed. */
const provideRuntimeClient = () => {
  if (existsSync(inClient('rapid-client.node'))) return true;
  const tools = Object.fromEntries(
    COMMANDS.map((command): [string, [string, string]] => [command, [command, '--version']]),
  );
  return hasTools(tools, PACKAGES) && install();
};

if (import.meta.main) runTools(PACKAGES, provideRuntimeClient);
