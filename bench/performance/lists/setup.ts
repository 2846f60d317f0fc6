import { type Engine, startEngine } from '../../../local/services/engine.ts';
import { memoryOf, templateFor } from '../../costs/templates.ts';
import { eventOf } from '../../harness/events.ts';
import { environmentOf, logicalId, NOWHERE } from '../../harness/functions.ts';
import { startRecorder } from '../../harness/recorder.ts';
import { startFunction } from '../../harness/runner.ts';
import { tablesOf } from '../../harness/tables.ts';
import { ours, temporaryBuilds } from '../builds.ts';
import { listTablesOf } from './table.ts';

const LIST = 'get-material-codes';

export const LIST_EVENT = JSON.stringify(eventOf({ operation: LIST }, 1));

export const statusOf = (answer: string): number => JSON.parse(answer).statusCode;

/** What the measurements of lists share: an engine, the deployed bundle with its memory, and tables. */
export const listsSetup = async () => {
  const engine: Engine = await startEngine(undefined);
  const recorder = await startRecorder(engine.endpoint);
  const builds = temporaryBuilds();
  const { folder } = builds.deployed(ours(LIST));
  const memoryMb = memoryOf(await templateFor(1), logicalId(LIST));
  const { create } = tablesOf(engine.endpoint);
  const environment = (tables: string, table: string, of = folder) =>
    environmentOf({ ...NOWHERE, tables }, of, table);
  return {
    engine,
    recorder,
    memoryMb,
    ...listTablesOf(engine.endpoint),
    createTable: () => create(LIST),
    environment,
    /** Straight at the engine, or at whatever stands before it. */
    start: (table: string, tables = engine.endpoint) => startFunction(environment(tables, table), memoryMb),
    stop: async () => {
      recorder.stop();
      builds.remove();
      await engine.stop();
    },
  };
};

export type ListsSetup = Awaited<ReturnType<typeof listsSetup>>;
