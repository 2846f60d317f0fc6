import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Outputs } from '../../local/run.ts';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
const CDK = join(projectFolder, 'node_modules/aws-cdk/bin/cdk');
const MAIN = join(projectFolder, 'local/cli/main.ts');

type Row = Record<string, unknown>;

/** The program of `npm start` in a folder of its own, with these clients. Once the signal is given, everything ends. */
export const startService = async (folder: string, clients: string[], signal: AbortSignal) => {
  const assembly = join(folder, 'assembly');
  const data = join(folder, 'data');
  await synthesize(assembly, clients, signal);
  const args = ['--port', '0', '--quiet', '--no-throttle', '--assembly', assembly, '--data', data];
  const program = startProgram([MAIN, ...args], signal);
  const ended = new AbortController();
  void program.exit.then(() => ended.abort(new Error(`The service ended: ${program.said.stderr}`)));
  await untilReady(program, ended.signal);
  const outputs: Outputs = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
  const engine = engineClient(outputs);
  return {
    outputs,
    engine,
    pid: program.child.pid ?? 0,
    /** Given once the program has ended, whatever has ended it. */
    ended: ended.signal,
    /** Ends it and tells how it ended, and what it has said of errors: its own and its functions'. */
    stop: async () => {
      engine.destroy();
      program.child.kill('SIGTERM');
      await program.exit;
      const complaints = program.said.stderr.split('\n').filter(Boolean);
      return { exitCode: program.child.exitCode, complaints };
    },
  };
};

export type Service = Awaited<ReturnType<typeof startService>>;

/** As a deployment does, with settings that go before those of cdk.json. */
const synthesize = async (folder: string, clients: string[], signal: AbortSignal) => {
  const settings = `warehouse-control=${JSON.stringify({ clients })}`;
  const args = ['synth', '--quiet', '--output', folder, '--context', settings];
  const { child, said, exit } = startProgram([CDK, ...args], signal);
  await exit;
  signal.throwIfAborted();
  if (child.exitCode !== 0) throw new Error(`The synthesis failed: ${said.stderr}`);
};

const startProgram = (args: string[], signal: AbortSignal) => {
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  // A child that the signal has ended says so by an error, too; its end is all that counts.
  child.on('error', () => {});
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  // Closed once everything below it has ended, too, and nothing is written any more.
  const exit = new Promise((resolve) => child.once('close', resolve));
  return { child, said, exit };
};

const untilReady = async ({ child, said }: ReturnType<typeof startProgram>, ended: AbortSignal) => {
  while (!said.stdout.includes('Ready at')) {
    await once(child.stdout, 'data', { signal: ended }).catch(() => ended.throwIfAborted());
  }
};

/** The engine takes any credentials. */
const engineClient = ({ DynamoDbEndpoint, Region }: Outputs) =>
  new DynamoDBClient({
    endpoint: DynamoDbEndpoint,
    region: Region,
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  });

const ROWS_A_WRITE = 25;

export const fill = async ({ engine, outputs }: Service, table: string, rows: Row[]) => {
  const documents = DynamoDBDocumentClient.from(engine);
  const TableName = outputs.Tables[table] ?? '';
  for (let from = 0; from < rows.length; from += ROWS_A_WRITE) {
    const puts = rows.slice(from, from + ROWS_A_WRITE).map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems } = await documents.send(
      new BatchWriteCommand({ RequestItems: { [TableName]: puts } }),
    );
    if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error(`${table} did not take its rows.`);
  }
};
