import { cpSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOCUMENT_FILE } from '../../docs/openapi/generate.ts';
import { type Command, execute } from '../clients/execute.ts';
import { startService } from '../clients/service.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { newTimestamp } from '../support/batches.ts';
import { projectFolder } from '../support/run-app.ts';
import { ASSEMBLIES, NEWTONSOFT, npmTool, OPENAPI_GENERATOR } from './tools.ts';

/* Each tool generates a client from the document, and a program does the four operations with it. */

const TIMEOUT = 300_000;

const document = fileURLToPath(DOCUMENT_FILE);
const programs = join(import.meta.dirname, 'clients');

const MaterialCodes = [{ MaterialCode: 'ABC-1' }, { MaterialCode: 'Сталь-10/А', Name: 'Лист 10 мм' }];
const PurchaseOrders = [{ PurchaseOrder: 'OT1234567' }, { PurchaseOrder: 'OT7654321', Open: true }];

/** What each program prints, besides its own timestamp. The last request has an empty array in place of the empty object. */
const OUTCOME = {
  entryCount: 2,
  names: [
    ['ABC-1', null],
    ['Сталь-10/А', 'Лист 10 мм'],
  ],
  orders: ['OT1234567', 'OT7654321'],
  refused: [400, ['#/MaterialCodes/0/PurchaseOrders']],
};

const storedEntry = (purchaseOrders: string[]) => ({
  M: {
    StockBalance: { N: '-12.125' },
    StockBalanceUnit: { S: 'kg' },
    PurchaseOrders: { L: purchaseOrders.map((order) => ({ S: order })) },
  },
});
const SNAPSHOT = {
  'ABC-1': storedEntry(['OT1234567', 'OT1234567']),
  'Сталь-10/А': storedEntry([]),
};

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService({ MaterialCodes, PurchaseOrders }, 'Пароль:1');
});
afterAll(() => service.stop());

const run = async (command: Command, folder: string, environment: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = await execute(command, folder, environment, TIMEOUT);
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed:\n${stdout}\n${stderr}`);
  return stdout;
};

/** Runs a program and compares what it prints and what the service stored. */
const expectFourOperations = async (command: Command, folder: string) => {
  const earlier = Object.keys(await service.snapshots());
  const { baseUrl, username, password } = service.account;
  const TIMESTAMP = newTimestamp();
  const account = { BASE_URL: baseUrl, USERNAME: username, PASSWORD: password };
  const output = await run(command, folder, { ...account, TIMESTAMP, LC_ALL: 'C.UTF-8' });
  expect(JSON.parse(output)).toEqual({ change: TIMESTAMP, ...OUTCOME });
  expect(await service.changes()).toContain(TIMESTAMP);
  const snapshots = Object.entries(await service.snapshots()).filter(([id]) => !earlier.includes(id));
  expect(snapshots.map(([, balances]) => balances)).toEqual([SNAPSHOT]);
};

/** A folder with a TypeScript program, the strictest settings of the project, and the packages of the tools. */
const typeScriptFolder = (program: string, compilerOptions: object = {}) => {
  const folder = temporaryFolder();
  symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'));
  for (const file of [`${program}.ts`, 'scenario.ts']) cpSync(join(programs, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const settings = {
    extends: join(projectFolder, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      allowImportingTsExtensions: false,
      skipLibCheck: false,
      lib: ['esnext', 'dom', 'dom.iterable'],
      typeRoots: [join(projectFolder, 'node_modules/@types')],
      rootDir: '.',
      outDir: 'compiled',
      ...compilerOptions,
    },
    include: ['*.ts', 'api/**/*.ts'],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  return folder;
};

const compileTypeScript = (folder: string) =>
  run([process.execPath, join(projectFolder, 'node_modules/typescript/bin/tsc'), '-p', folder], folder);

/** Returns the folder of a client that openapi-generator made. */
const generate = async (language: string, options: string[]) => {
  const folder = temporaryFolder();
  const args = ['generate', '-g', language, '-i', document, '-o', folder, ...options];
  await run(['java', '-jar', OPENAPI_GENERATOR, ...args], folder);
  return folder;
};

describe('a generated client does the four operations', { timeout: TIMEOUT }, () => {
  test('of openapi-typescript and openapi-fetch', async () => {
    const folder = typeScriptFolder('openapi-fetch');
    await run([...npmTool('openapi-typescript'), document, '--output', 'api.ts'], folder);
    await compileTypeScript(folder);
    await expectFourOperations([process.execPath, 'compiled/openapi-fetch.js'], folder);
  });

  test('of @hey-api/openapi-ts', async () => {
    // Its own runtime does not compile with this setting.
    const folder = typeScriptFolder('hey-api', { exactOptionalPropertyTypes: false });
    const options = ['--input', document, '--output', 'api', '--client', '@hey-api/client-fetch'];
    await run([...npmTool('openapi-ts'), ...options, '--no-log-file', '--silent'], folder);
    await compileTypeScript(folder);
    await expectFourOperations([process.execPath, 'compiled/hey-api.js'], folder);
  });

  test('of openapi-generator in Java', async () => {
    // Without the mapping, the generated class for the union of an array and an object does not compile.
    const folder = await generate('java', [
      ...['--library', 'native', '--schema-mappings', 'PurchaseOrders=Object'],
      '--additional-properties=invokerPackage=warehouse,apiPackage=warehouse.api,modelPackage=warehouse.model',
    ]);
    const sources = join(folder, 'src/main/java');
    mkdirSync(sources, { recursive: true });
    cpSync(join(programs, 'Client.java'), join(sources, 'Client.java'));
    const goals = ['compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'];
    await run(['mvn', '--quiet', '--batch-mode', ...goals], folder);
    await expectFourOperations(['java', '-cp', 'target/classes:target/lib/*', 'Client'], folder);
  });

  test('of openapi-generator in C#', async () => {
    const folder = await generate('csharp', [
      ...['--library', 'httpclient'],
      '--additional-properties=packageName=Warehouse,targetFramework=net47,supportsRetry=false,validatable=false,equatable=true,nullableReferenceTypes=false',
    ]);
    const sources = globSync('src/Warehouse/**/*.cs', { cwd: folder });
    const own = globSync('*.cs', { cwd: programs }).map((file) => join(programs, file));
    const references = [...ASSEMBLIES, NEWTONSOFT].map((file) => `-r:${file}`);
    const options = ['-langversion:latest', '-nowarn:1591', '-out:client.exe'];
    await run(['mcs', ...options, ...references, ...own, ...sources], folder);
    await expectFourOperations(['mono', 'client.exe'], folder);
  });
});
