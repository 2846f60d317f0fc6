import type { TestProject } from 'vitest/node';
import { startEngine } from '../../local/services/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamoDbEndpoint: string;
  }
}

/** One engine for the whole run, in memory; each test makes tables of its own. */
export const setup = async (project: TestProject) => {
  const engine = await startEngine(undefined);
  project.provide('dynamoDbEndpoint', engine.endpoint);
  return engine.stop;
};
