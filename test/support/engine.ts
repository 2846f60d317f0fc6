import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    dynamoDbEndpoint: string;
  }
}

/** One engine for the whole run, in memory, on loopback; each test makes tables of its own. */
export const setup = async (project: TestProject) => {
  const given = process.env['DYNAMODB_ENDPOINT'];
  if (given) {
    project.provide('dynamoDbEndpoint', given);
    return;
  }
  const engine = await startEngine();
  project.provide('dynamoDbEndpoint', engine.endpoint);
  return engine.stop;
};

/** An engine of its own for a test that stops it. */
export const startEngine = async () => {
  const port = await freePort();
  const process = spawn(enginePath(), ['serve', '--port', String(port)], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItAnswers(endpoint);
  const stop = async () => {
    if (process.exitCode !== null || process.signalCode !== null) return;
    process.kill();
    await once(process, 'exit');
  };
  return { endpoint, stop };
};

const enginePath = () => {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    throw new Error(
      'No DynamoDB engine for this platform is installed: run `npm i --no-save dynoxide`, or set DYNAMODB_ENDPOINT to one that runs.',
    );
  }
};

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
};

const untilItAnswers = async (endpoint: string) => {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      await fetch(endpoint);
      return;
    } catch {
      await sleep(25);
    }
  }
  throw new Error(`The engine does not answer at ${endpoint}.`);
};
