import { expect } from 'vitest';
import { FunctionInstance } from '../../local/lambda/function-instance.ts';
import { type Options, runUnderClient } from './runtime-client.ts';

const runLocally = async ({ environment, events, timeoutMs }: Options) => {
  const lines: string[] = [];
  const results: string[] = [];
  const exited = Promise.withResolvers<void>();
  const instance = new FunctionInstance({
    environment,
    memoryMb: 512,
    log: (line) => lines.push(line),
    onExit: () => exited.resolve(),
  });
  for (const event of events) {
    const outcome = await instance.serve(event, timeoutMs);
    if (outcome === 'not delivered') throw new Error(`The function ended: ${lines.join('\n')}`);
    results.push('response' in outcome ? outcome.response : JSON.stringify(outcome.error));
  }
  instance.stop();
  await exited.promise;
  return { results, lines };
};

/** What differs between any two runs, and the frames of the runtime itself and of Node. */
const VARYING: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(-[0-9a-f]{12})?/g, 'TIME'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID'],
  [/"(durationMs|Timestamp)":[\d.]+/g, '"$1":0'],
  // A frame names the object whose method the handler is.
  [/BufferedInvokeProcessor\.(\S+) \[as handler\]/g, '$1'],
  [/BufferedInvokeProcessor\.handler \((.*?)\)/g, '$1'],
  [/(\\n|",")? {4}at [^"\\]*?(node:|function-bootstrap|aws-lambda-ric)[^"\\]*/g, ''],
];

const parse = (text: string): unknown =>
  JSON.parse(VARYING.reduce((kept, [pattern, name]) => kept.replaceAll(pattern, name), text));

/** Sends the events to the bundle in both runtimes, expects the same in both, and returns the responses and log lines. */
export const runInBoth = async (options: Options) => {
  const runs = await Promise.all([runLocally(options), runUnderClient(options)]);
  const [ours, theirs] = runs.map(({ results, lines }) => ({
    results: results.map(parse),
    lines: lines.map(parse),
  }));
  expect(ours).toEqual(theirs);
  return ours;
};
