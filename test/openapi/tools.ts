import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cachedEnvironment, installPythonPackage } from '../judges/python-package.ts';
import { compileCSharp, hasTools, runTools } from '../support/tools.ts';

/* Installs the tools that are tried with the API document. Each has its version pinned here or in package-lock.json. */

const SCHEMATHESIS_PACKAGE = 'schemathesis==4.32.5';
export const SCHEMATHESIS = join(cachedEnvironment(SCHEMATHESIS_PACKAGE), 'bin/schemathesis');

const GENERATOR_VERSION = '7.25.0';
const GENERATOR_SHA256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
const generatorFolder = cachedEnvironment(`openapi-generator-cli-${GENERATOR_VERSION}`);
export const OPENAPI_GENERATOR = join(generatorFolder, `openapi-generator-cli-${GENERATOR_VERSION}.jar`);

const modules = join(import.meta.dirname, 'node_modules');

/** The command of an npm package. */
export const npmTool = (name: string): [string, string] => [process.execPath, join(modules, '.bin', name)];

/** Where Debian and Ubuntu have the library that generated C# clients use. */
export const NEWTONSOFT = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';

/** The assemblies of .NET Framework that generated C# clients use. */
export const ASSEMBLIES = [
  'System.Net.Http',
  'System.Web',
  'System.Runtime.Serialization',
  'System.ComponentModel.DataAnnotations',
].map((name) => `${name}.dll`);

/** Each command fails if it or one of its libraries is missing. */
const COMMANDS = {
  'python3 with venv': ['python3', '-c', 'import ensurepip, venv'],
  'a JDK': ['javac', '-version'],
  maven: ['mvn', '--version'],
  'mcs and mono with Newtonsoft.Json': compileCSharp([...ASSEMBLIES, NEWTONSOFT]),
} satisfies Record<string, [string, ...string[]]>;

/** The packages of Debian and Ubuntu. */
const PACKAGES =
  'python3 python3-venv default-jdk-headless maven mono-mcs libmono-system-net-http4.0-cil libmono-system-web4.0-cil libmono-system-runtime-serialization4.0-cil libmono-system-componentmodel-dataannotations4.0-cil libnewtonsoft-json-cil-dev';

const installNpmPackages = () => {
  const lockFile = join(import.meta.dirname, 'package-lock.json');
  const installed = join(modules, '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs) return;
  const args = ['ci', '--prefix', import.meta.dirname, '--ignore-scripts', '--loglevel', 'error'];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
};

const installGenerator = () => {
  if (!existsSync(OPENAPI_GENERATOR)) {
    const goal = [
      `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR_VERSION}:jar`,
      `-DoutputDirectory=${generatorFolder}`,
    ];
    execFileSync('mvn', ['--quiet', '--batch-mode', 'dependency:copy', ...goal], { stdio: 'inherit' });
  }
  const sha256 = createHash('sha256').update(readFileSync(OPENAPI_GENERATOR)).digest('hex');
  if (sha256 !== GENERATOR_SHA256) throw new Error(`${OPENAPI_GENERATOR} has the wrong checksum ${sha256}.`);
};

const provide = () => {
  if (!hasTools(COMMANDS, PACKAGES)) return false;
  if (!existsSync(SCHEMATHESIS)) installPythonPackage(SCHEMATHESIS_PACKAGE);
  installNpmPackages();
  installGenerator();
  return true;
};

if (import.meta.main) runTools(PACKAGES, provide);
