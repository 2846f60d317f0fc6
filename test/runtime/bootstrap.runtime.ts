import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { runInBoth } from './run-in-both.ts';

const environment = {
  PATH: '/usr/bin:/bin',
  AWS_LAMBDA_FUNCTION_NAME: 'compared',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_LOG_GROUP_NAME: 'group',
  AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
  AWS_LAMBDA_LOG_FORMAT: 'JSON',
  AWS_LAMBDA_LOG_LEVEL: 'INFO',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  _HANDLER: 'index.handler',
};

const runCode = (code: string, events: unknown[] = [{}]) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'index.js'), code);
  return runInBoth(events, { environment: { ...environment, LAMBDA_TASK_ROOT: folder } });
};

const runHandler = (body: string, events?: unknown[]) =>
  runCode(`exports.handler = async (event, context) => { ${body} };`, events);

test.each([
  [
    'values that JSON does not have',
    'return { a: undefined, b: NaN, c: new Date(0) }',
    { b: null, c: 'TIME' },
  ],
  ['its event', 'return event', {}],
])('both runtimes answer %s', async (_, body, answer) => {
  expect((await runHandler(body)).reports).toEqual([answer]);
});

test('both runtimes pass the same context', async () => {
  const { reports } = await runHandler(`
    const remaining = context.getRemainingTimeInMillis();
    const isRight = Number.isInteger(remaining) && remaining > 15_000 && remaining <= 20_000;
    return { isRight, keys: Object.keys(context), context };`);
  expect(reports).toMatchObject([{ isRight: true, context: { xRayTraceId: 'TRACE;Sampled=0' } }]);
});

test('both runtimes set the same environment', async () => {
  const { reports } = await runHandler(
    'const { AWS_LAMBDA_RUNTIME_API, ...others } = process.env; return others;',
  );
  expect(reports).toMatchObject([{ ...environment, _X_AMZN_TRACE_ID: 'TRACE;Sampled=0' }]);
});

test.each([
  ['an error', 'throw new Error("Out of order")', 'Error'],
  ['a text', 'throw "text"', 'string'],
  [
    'a circular answer',
    'const answer = {}; answer.answer = answer; return answer',
    'Runtime.JSONStringifyError',
  ],
])('both runtimes report and log %s, and serve the next event', async (_, body, errorType) => {
  const { reports, lines } = await runHandler(`if (event.isNext) return event; ${body}`, [
    {},
    { isNext: true },
  ]);
  expect(reports).toEqual([expect.objectContaining({ errorType }), { isNext: true }]);
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ level: 'ERROR', requestId: 'ID' }]);
});

test.each([
  ['that exits', 'process.exit(3)', 0],
  [
    'with an uncaught error',
    'setTimeout(() => { throw new Error("later") }); await new Promise(() => {})',
    3,
  ],
  ['with an unhandled rejection', 'Promise.reject(new Error("later")); await new Promise(() => {})', 3],
])('both runtimes end with a handler %s', async (_, body, lineCount) => {
  const { reports, lines } = await runHandler(`setTimeout(() => {}, 10_000); ${body}`);
  expect(reports).toEqual(['The process has ended.']);
  expect(lines.length).toBeGreaterThanOrEqual(lineCount);
});

test('both runtimes log what a handler writes', async () => {
  const { lines } = await runHandler(`
    console.log('two\\nlines');
    console.error('text', new RangeError('x'));
    console.debug('hidden');
    process.stdout.write('to stdout\\n');`);
  expect(lines).toHaveLength(3);
});

describe('both runtimes report and log a bundle that cannot be loaded', () => {
  test.each([
    ['it throws', 'throw new Error("while loading")', 'Error'],
    ['it exports no handler', 'exports.other = 1', 'Runtime.HandlerNotFound'],
    ['it needs a module that is missing', 'require("absent")', 'Runtime.ImportModuleError'],
  ])('%s', async (_, code, errorType) => {
    const { reports, lines } = await runCode(code);
    expect(reports).toMatchObject([{ errorType }]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'ERROR', requestId: '-' });
  });
});
