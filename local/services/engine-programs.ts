import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../startup-error.ts';

/** How to start a DynamoDB engine. */
export type EngineProgram = {
  name: 'dynoxide' | 'dynalite';
  description: string;
  path: string;
  dataFile: string;
  args: (port: number, data: string | undefined) => string[];
};

const require = createRequire(import.meta.url);

/** Returns the engine that ENGINE names. Without ENGINE, the native engine has priority if it is installed. */
export const engineProgram = (): EngineProgram => {
  const wanted = process.env['ENGINE'] || undefined;
  if (wanted && !Object.hasOwn(programs, wanted)) {
    throw new StartupError(`ENGINE is ${Object.keys(programs).join(' or ')}, not ${wanted}.`);
  }
  for (const [name, program] of Object.entries(programs)) {
    const found = !wanted || wanted === name ? program() : undefined;
    if (found) return found;
  }
  throw new StartupError(
    `${wanted ? `${wanted} is not` : 'No DynamoDB engine is'} installed. Run \`npm ci\` without --omit=optional, or set DYNAMODB_ENDPOINT to the address of a DynamoDB-compatible engine.`,
  );
};

const DYNALITE_SERVER = fileURLToPath(new URL('dynalite-server.ts', import.meta.url));

/** In order of priority. */
const programs: Record<EngineProgram['name'], () => EngineProgram | undefined> = {
  dynoxide: () => {
    const platform = `@dynoxide/${process.platform}-${process.arch}`;
    const path = resolved(`${platform}/dynoxide${process.platform === 'win32' ? '.exe' : ''}`);
    return path === undefined
      ? undefined
      : {
          name: 'dynoxide',
          description: `dynoxide ${versionOf(platform)} (native)`,
          path,
          dataFile: 'dynamodb.sqlite',
          args: (port, data) => ['serve', '--port', `${port}`, ...(data ? ['--db-path', data] : [])],
        };
  },
  dynalite: () =>
    resolved('dynalite') === undefined
      ? undefined
      : {
          name: 'dynalite',
          description: `dynalite ${versionOf('dynalite')} (JavaScript)`,
          path: process.execPath,
          dataFile: 'dynamodb.level',
          args: (port, data) => [DYNALITE_SERVER, `--port=${port}`, ...(data ? [`--path=${data}`] : [])],
        },
};

const resolved = (specifier: string) => {
  try {
    return require.resolve(specifier);
  } catch {
    return undefined;
  }
};

const versionOf = (name: string): string => require(`${name}/package.json`).version;
