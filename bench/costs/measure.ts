import { cpus } from 'node:os';
import { startEngine } from '../../local/services/engine.ts';
import type { OperationName } from '../../shared/operations.ts';
import { startSecretsManager } from '../../test/support/fault-proxy.ts';
import { eventOf } from '../harness/events.ts';
import {
  authorizationOf,
  bundledFunctions,
  CLIENTS,
  type FunctionName,
  fillSecrets,
  functionNames,
  logicalId,
  wrongAuthorizations,
} from '../harness/functions.ts';
import { startRecorder } from '../harness/recorder.ts';
import type { Run } from '../harness/runner.ts';
import { median, rounded } from '../harness/statistics.ts';
import { tablesOf } from '../harness/tables.ts';
import { chargesOf, metricsOf, turns } from './counted.ts';
import { accessLine, platformLines } from './log-lines.ts';
import type { Measured, Operation } from './measured.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { servedFrom } from './served.ts';
import { memoryOf, settingsOf, standingOf, templateFor } from './templates.ts';

const STARTS = 7;
const AUTHORIZER_WARM_UPS = 9;

/** Serves every kind of request by the bundles that are deployed, on a real engine, and counts. */
export const measure = async (now: Date, say: (line: string) => void): Promise<Measured> => {
  const engine = await startEngine(undefined);
  const recorder = await startRecorder(engine.endpoint);
  const secrets = await startSecretsManager();
  fillSecrets(secrets);
  const tables = tablesOf(engine.endpoint);
  const bundles = bundledFunctions({ tables: recorder.endpoint, secrets: secrets.endpoint });
  const [one, full] = [await templateFor(1), await templateFor(CLIENTS)];
  const memory = (name: FunctionName) => memoryOf(full, logicalId(name));
  const served: Run[] = [];
  const refused: Run[] = [];

  const operation = async (scenario: Scenario): Promise<Operation> => {
    say(scenario.name);
    const name = scenario.operation;
    const table = await tables.create(name);
    await tables.fill(table, name, scenario.rows ?? 0);
    const process = await bundles.start(name, memory(name), table);
    const count = 1 + scenario.warmUps + scenario.runs;
    const events = Array.from({ length: count + 1 }, (_, serial) =>
      JSON.stringify(eventOf(scenario, serial)),
    );
    const runs = await process.serve(events.slice(0, count));
    recorder.take();
    const { runs: counted } = await process.serve(events.slice(count));
    const calls = recorder.take();
    // A refused one, too: its line is a metric of its own.
    if (scenario.body) refused.push(...(await process.serve([refusedEvent(scenario)])).runs);
    await process.stop();
    served.push(...counted);
    const answer = bodyOf([...runs.runs, ...counted]);
    return {
      ...servedFrom({
        name: scenario.name,
        function: name,
        runs,
        warmUps: scenario.warmUps,
        calls: turns(calls),
      }),
      requestBytes: Buffer.byteLength(scenario.body?.(count) ?? ''),
      answerBytes: Buffer.byteLength(answer),
      accessLogBytes: Buffer.byteLength(accessLine(name)),
      ...chargesOf(calls),
    };
  };

  const authorizer = async () => {
    const process = await bundles.start('authorizer', memory('authorizer'));
    const events = Array.from({ length: CLIENTS }, (_, index) =>
      JSON.stringify(eventOf({ operation: 'post-change' }, index, authorizationOf(index))),
    );
    const pass = async (name: string) => {
      const before = secrets.calls.length;
      const runs = await process.serve(events);
      const reads = (secrets.calls.length - before) / events.length;
      const calls = { all: reads, inTurn: reads };
      return servedFrom({ name, function: 'authorizer', runs, warmUps: AUTHORIZER_WARM_UPS, calls });
    };
    const readsSecret = await pass('reads the secret');
    const hasCopy = await pass('has a copy of the secret');
    const wrong = wrongAuthorizations.map((authorization) =>
      JSON.stringify(eventOf({ operation: 'post-change' }, 0, authorization)),
    );
    refused.push(...(await process.serve(wrong)).runs);
    await process.stop();
    return { readsSecret, hasCopy };
  };

  const loadMs = async (name: FunctionName) => {
    const times: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const process = await bundles.start(name, memory(name));
      times.push((await process.serve([])).loadMs);
      await process.stop();
    }
    return rounded(median(times), 1);
  };

  try {
    const operations: Operation[] = [];
    for (const scenario of scenarios) operations.push(await operation(scenario));
    const authorized = await authorizer();
    const functions: Measured['functions'] = [];
    for (const name of functionNames) {
      const memoryMb = memory(name);
      const platformLogBytes = Buffer.byteLength(platformLines(memoryMb).join(''));
      functions.push({ name, memoryMb, loadMs: await loadMs(name), platformLogBytes });
    }
    return {
      date: now.toISOString().slice(0, 10),
      machine: machine(),
      settings: settingsOf(full),
      functions,
      authorizer: authorized,
      operations,
      metrics: metricsOf(served, refused),
      standing: { one: standingOf(one), full: standingOf(full) },
    };
  } finally {
    bundles.remove();
    recorder.stop();
    await secrets.stop();
    await engine.stop();
  }
};

const machine = () => {
  const all = cpus();
  return { processor: all[0]?.model ?? 'unknown', cores: all.length, node: process.version };
};

const refusedEvent = ({ operation }: { operation: OperationName }) =>
  JSON.stringify(eventOf({ operation, body: () => '{}' }, 0));

const bodyOf = (runs: readonly Run[]) => {
  const answers: { statusCode: number; body: string }[] = runs.map(({ answer }) => JSON.parse(answer));
  const refused = answers.find(({ statusCode }) => statusCode !== 200);
  if (refused) throw new Error(`It was answered with ${refused.statusCode}: ${refused.body}`);
  return answers.at(-1)?.body ?? '';
};
