import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { FunctionInstance } from '../../local/lambda/function-instance.ts';
import { ENDED, startRuntimeClient } from './runtime-client.ts';

type Options = { environment: Record<string, string>; timeoutMs?: number | undefined };

/** Each event's answer or error as JSON text, and the lines that the process wrote. */
type Run = { reports: string[]; lines: string[] };

const FUNCTION_ARN = 'arn:aws:lambda:eu-central-1:000000000000:function:compared';
const TRACE_ID = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0';

const runLocally = async (
  events: readonly unknown[],
  { environment, timeoutMs = 20_000 }: Options,
): Promise<Run> => {
  const lines: string[] = [];
  const reports: string[] = [];
  const exited = Promise.withResolvers<void>();
  const instance = new FunctionInstance({
    environment,
    memoryMb: 512,
    log: (line) => lines.push(line),
    onExit: () => exited.resolve(),
  });
  for (const event of events) {
    const outcome = await instance.serve(JSON.stringify(event), timeoutMs);
    if (outcome === 'not delivered') reports.push(ENDED);
    else if ('answer' in outcome) reports.push(outcome.answer);
    else reports.push(outcome.error.trace ? JSON.stringify(outcome.error) : ENDED);
  }
  instance.stop();
  await exited.promise;
  return { reports, lines };
};

const runUnderClient = async (
  events: readonly unknown[],
  { environment, timeoutMs = 20_000 }: Options,
): Promise<Run> => {
  const client = await startRuntimeClient(environment);
  const reports: string[] = [];
  for (const event of events) {
    const ids = { requestId: randomUUID(), functionArn: FUNCTION_ARN, traceId: TRACE_ID };
    reports.push(await client.invoke({ ...ids, event: JSON.stringify(event), timeoutMs }));
  }
  await client.stop();
  return { reports, lines: client.lines };
};

/** Replaces what differs between any two runs. */
const VARYING: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(-[0-9a-f]{12})?/g, 'TIME'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID'],
  [/"(durationMs|Timestamp)":[\d.]+/g, '"$1":0'],
  [/Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16}/g, 'TRACE'],
  // A frame names the object whose method the handler is.
  [/BufferedInvokeProcessor\.(\S+) \[as handler\]/g, '$1'],
  [/BufferedInvokeProcessor\.handler \((.*?)\)/g, '$1'],
];

/** The frames of the runtime itself and of Node. */
const FOREIGN_FRAME = /(\\n|",")? {4}at [^"\\]*?(node:|function-bootstrap|aws-lambda-ric)[^"\\]*/g;

/** Node prints where in its own source it ended the process. */
const EXCERPT = /^(node:internal.*|\s*triggerUncaughtException.*|\s*\^?)$/;

const withoutVarying = (text: string) =>
  VARYING.reduce((kept, [pattern, name]) => kept.replaceAll(pattern, name), text).replaceAll(
    FOREIGN_FRAME,
    '',
  );

const comparable = ({ reports, lines }: Run) => ({
  reports: reports.map(withoutVarying).map((report): unknown => JSON.parse(report)),
  lines: lines.map(withoutVarying).filter((line) => !EXCERPT.test(line)),
});

/** Sends the events to the bundle in both runtimes, and expects the same answers and log lines. */
export const runInBoth = async (events: readonly unknown[], options: Options) => {
  const [ours, theirs] = await Promise.all([runLocally(events, options), runUnderClient(events, options)]);
  expect(comparable(ours)).toEqual(comparable(theirs));
  return comparable(theirs);
};
