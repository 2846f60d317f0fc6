import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../startup-error.ts';

const DYNOXIDE = `@dynoxide/${process.platform}-${process.arch}`;
const DYNALITE_SERVER = fileURLToPath(new URL('dynalite-server.ts', import.meta.url));

/** In order of priority. */
const programs = [
  {
    name: 'dynoxide',
    packageName: DYNOXIDE,
    kind: 'native',
    main: `${DYNOXIDE}/dynoxide${process.platform === 'win32' ? '.exe' : ''}`,
    dataFile: 'dynamodb.sqlite',
    command: (main: string) => [main, 'serve'],
    dataOption: '--db-path',
  },
  {
    name: 'dynalite',
    packageName: 'dynalite',
    kind: 'JavaScript',
    main: 'dynalite',
    dataFile: 'dynamodb.level',
    command: () => [process.execPath, DYNALITE_SERVER],
    dataOption: '--path',
  },
];

/** Returns the engine that ENGINE names. Without ENGINE, the native engine has priority if it is installed. */
export const engineProgram = () => {
  const wantedName = process.env['ENGINE'];
  const candidates = programs.filter(({ name }) => !wantedName || name === wantedName);
  if (candidates.length === 0)
    throw new StartupError(
      `ENGINE may be ${programs.map(({ name }) => name).join(' or ')}, not ${wantedName}.`,
    );
  for (const { name, packageName, kind, main, dataFile, command, dataOption } of candidates) {
    const path = resolveIfInstalled(main);
    if (path === undefined) continue;
    const { version } = require(`${packageName}/package.json`);
    const args = (port: number, data: string | undefined) => [
      ...[...command(path), `--port=${port}`],
      ...(data ? [`${dataOption}=${data}`] : []),
    ];
    return { name, description: `${name} ${version} (${kind})`, dataFile, args };
  }
  throw new StartupError(
    `${wantedName ? `${wantedName} is not` : 'No DynamoDB engine is'} installed. Run \`npm ci\` without --omit=optional, or set DYNAMODB_ENDPOINT to the URL of a DynamoDB-compatible engine.`,
  );
};

const require = createRequire(import.meta.url);

const resolveIfInstalled = (specifier: string) => {
  try {
    return require.resolve(specifier);
  } catch {
    return undefined;
  }
};
