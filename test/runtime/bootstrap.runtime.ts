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
  ['nothing', 'return undefined', null],
  ['text', 'return "Сталь"', 'Сталь'],
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
  [
    'an error with its fields',
    'class Odd extends Error { code = 7; name = "Named" }; throw new Odd("x")',
    'Named',
  ],
  ['an error without a stack', 'const error = new Error("x"); error.stack = undefined; throw error', 'Error'],
  ['an error with a cause', 'throw new Error("x", { cause: new Error("y") })', 'Error'],
  ['a text', 'throw "text"', 'string'],
  ['undefined', 'throw undefined', 'undefined'],
  [
    'a circular answer',
    'const answer = {}; answer.answer = answer; return answer',
    'Runtime.JSONStringifyError',
  ],
  ['a BigInt', 'return 1n', 'Runtime.JSONStringifyError'],
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

test('both runtimes log what a handler writes to the console, stdout and stderr', async () => {
  const { lines } = await runHandler(`
    const circular = {};
    circular.circular = circular;
    console.log();
    console.log('two\\nlines');
    console.log({ error: new RangeError('x') });
    console.log(circular);
    console.log(undefined, 2);
    console.info('%s and', 'text', { a: [1] });
    console.warn({ a: [1] });
    console.error(new RangeError('x'));
    console.error('text', new RangeError('x'));
    console.debug('hidden');
    console.trace('hidden');
    process.stdout.write('to stdout\\n');
    process.stderr.write('to stderr\\n');`);
  expect(lines).toHaveLength(11);
});

describe('both runtimes report and log a bundle that cannot be loaded', () => {
  test.each([
    ['it throws', 'throw new Error("while loading")', 'Error'],
    ['it exports no handler', 'exports.other = 1', 'Runtime.HandlerNotFound'],
    ['its handler is no function', 'exports.handler = 1', 'Runtime.HandlerNotFound'],
    ['it is no JavaScript', 'exports.handler = (', 'Runtime.UserCodeSyntaxError'],
    ['it needs a module that is missing', 'require("absent")', 'Runtime.ImportModuleError'],
  ])('%s', async (_, code, errorType) => {
    const { reports, lines } = await runCode(code);
    expect(reports).toMatchObject([{ errorType }]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'ERROR', requestId: '-' });
  });
});
