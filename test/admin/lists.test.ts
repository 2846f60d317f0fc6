import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createHandler } from '../../functions/list-handler.ts';
import { listReader } from '../../functions/storage/list-reader.ts';
import { okResponse } from '../../shared/http/http-response.ts';
import { MAX_FUNCTION_RESPONSE_BYTES } from '../../shared/limits.ts';
import type { ListName } from '../../shared/tables.ts';
import { temporaryFolder } from '../support/assembly.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { call } from '../support/handlers.ts';
import { itemsOf, testClient } from '../support/tables.ts';
import { startAdmin } from './command.ts';
import { adminHereOn, refusal } from './in-process.ts';
import {
  codeOf,
  dataFolder,
  emptyDeployment,
  engineWithoutFaults,
  type Item,
  ODD,
  putItems,
} from './tables.ts';

const folder = temporaryFolder();
const engine = await engineWithoutFaults();
let { names, data } = await emptyDeployment();
beforeEach(async () => {
  ({ names, data } = await emptyDeployment());
});

const stored = (name: ListName = 'MaterialCodes') => itemsOf(names[name]);
const put = (...items: Item[]) => putItems(names.MaterialCodes, items);

/** What the service returns. */
const served = async (name: ListName = 'MaterialCodes') => {
  const list = listReader(testClient(), name, names[name]);
  const log = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { status, text } = await call(createHandler(name, list));
  log.mockRestore();
  return { status, text };
};

const fileOf = (content: string, name = 'file') => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const command = (...line: string[]) => adminHereOn(data, line);

const NO_CHANGES = { Added: 0, Changed: 0, Removed: 0 };

const ALL_KINDS = [
  codeOf('A'),
  codeOf('B', { ...ODD, Mixed: { N: '7.85' }, 'kg:number': { S: 'text' }, 'm:json': { N: '1' } }),
  codeOf('Сталь-10/А', { Mixed: { S: '7.85' }, Weight: { N: '-0.5' }, 'x,y;z': { S: '=1+1' } }),
];

describe('a list with values of every kind', () => {
  beforeEach(() => put(...ALL_KINDS));

  test('is shown with every digit, in JSON like the API, and as a table with a column for each attribute', async () => {
    const json = await command('codes', 'list', '--json');
    const table = await command('codes', 'list');
    const csv = await command('codes', 'list', '--csv', '--no-bom');
    const { text } = await served();
    expect(`{"MaterialCodes":${json.stdout.replaceAll('\n', '')}}`).toBe(text);
    expect(table.stdout.split('\n')[0]).toMatch(/^MaterialCode +Bytes +Empty +Mixed +Name +Nested +/);
    expect(table.stdout).toMatch(/^Сталь-10\/А .* 7\.85 /m);
    expect(table.stdout).toContain(
      '12\u202f345\u202f678\u202f901\u202f234\u202f567\u202f890.123456789012345678',
    );
    expect(csv.stdout.split('\r\n')[0]).toMatch(/^MaterialCode,Bytes,.*,"x,y;z"$/);
    for (const { code, stderr } of [json, table]) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(csv.stderr).toMatch(
      /^1 text looks like a number or a date .* "7\.85"\. .* An \.xlsx file keeps .*\n$/,
    );
  });

  test.each([
    ['decimal-comma.csv', ['--separator', ';'], /^\uFEFFMaterialCode;Bytes:json;.*;kg:number:json;/],
    ['list.xlsx', [], /^PK/],
    ['-', ['--json'], /^\[\n/],
  ])('is exported to %s, and an import reads it back without a difference', async (name, options, begins) => {
    const out = name === '-' ? name : join(folder, name);
    const before = await stored();
    const target = name === '-' ? [] : ['--out', out];
    const { stdout: input, stderr } = await command('codes', 'export', ...options, ...target);
    expect(stderr).toBe(name === '-' ? '' : `Written: ${out}\n`);
    expect(input || readFileSync(out, 'utf8')).toMatch(begins);
    const line = ['codes', 'import', out, '--replace', '--json'];
    const { code, stdout } = await adminHereOn(data, line, { input });
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, ...NO_CHANGES, Unchanged: 3 });
    expect(await stored()).toEqual(before);
  });
});

test('a list shows control characters harmlessly at a terminal, and is exact in a pipe', async () => {
  const steering = 'a\u001b[2J\u009b31m\rb\nc';
  await put({ MaterialCode: { S: 'A' }, Name: { S: steering } });
  for (const format of ['--csv', '--json']) {
    process.stdout.isTTY = true;
    const { stdout, code } = await command('codes', 'list', format);
    expect(code).toBe(0);
    expect(stdout).toMatch(/a\\u001b\[2J\\u009b31m(\\u000d|\\r)b/);
    expect(stdout.replaceAll(/\r?\n/g, '')).not.toMatch(/\p{Cc}/u);
    process.stdout.isTTY = false;
  }
  const { stdout } = await command('codes', 'list', '--csv', '--no-bom');
  expect(stdout).toBe(`MaterialCode,Name\r\nA,"${steering}"\r\n`);
});

test('an import with --replace asks, and leaves exactly the rows of the file', async () => {
  await put(codeOf('A', { Name: { S: 'old' }, Tags: { SS: ['b', 'a'] } }), codeOf('B'));
  const replace = ['codes', 'import', fileOf('MaterialCode,New\nA,x\n', 'replace.csv'), '--replace'];
  const before = await stored();
  const question = 'Remove 1 of the 2 MaterialCodes in the list?';
  const answer = (keys: string) => adminHereOn(data, replace, { typed: [[question, keys]] });
  expect(await answer('\u0003')).toMatchObject({ code: 130, stdout: '' });
  expect(await stored()).toEqual(before);
  expect(await answer('y\n')).toMatchObject({ code: 0 });
  expect((await served()).text).toBe('{"MaterialCodes":[{"MaterialCode":"A","New":"x"}]}');
});

describe('an import on a faulty engine', () => {
  let data: string;
  beforeEach(() => {
    data = dataFolder(names, { engine: engine.endpoint });
    engine.decide(() => 'through');
  });

  const codes = (count: number) => Array.from({ length: count }, (_, index) => `C-${index}`);
  const importCodes = (count: number, ...options: string[]) => {
    const file = fileOf(['MaterialCode', ...codes(count)].join('\n'), 'many.csv');
    return adminHereOn(data, ['codes', 'import', file, '--json', ...options]);
  };
  /** Decides over each write of ten rows by its number. */
  const decideWrites = (faultOf: (write: number) => Fault) => {
    let writes = 0;
    engine.decide((call, _, { body }) => {
      if (call === 'Scan' || !body.includes(names.MaterialCodes)) return 'through';
      writes += 1;
      return faultOf(writes);
    });
  };

  test('says that the table is too busy if the engine goes on refusing', async () => {
    engine.decide(() => 'error');
    expect(await importCodes(1)).toEqual(refusal('The table cannot be reached, or is too busy'));
  });

  test('repeats writes that failed for a moment', async () => {
    const faults: Record<number, Fault> = { 3: 'throttle', 4: 'disconnect', 5: 'loseResponse', 6: 'error' };
    decideWrites((write) => faults[write] ?? 'through');
    const { code, stdout, stderr } = await importCodes(60);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('█') });
    expect(JSON.parse(stdout)).toMatchObject({ Added: 60 });
    expect(await stored()).toHaveLength(60);
  });

  test('says how much is written when it fails, and completes it when run again', async () => {
    await put(codeOf('C-0', { Name: { S: 'changes' } }));
    decideWrites((write) => (write > 5 ? 'deny' : 'through'));
    const ended = await importCodes(100, '--replace', '--yes');
    expect(ended).toEqual(
      refusal(/are not allowed .*\n.*50 of 100 changes are written \(50 added, 0 .* Run the/),
    );
    expect(await stored()).toHaveLength(51);
    engine.decide(() => 'through');
    const again = await importCodes(100, '--replace', '--yes');
    expect(JSON.parse(again.stdout)).toEqual({ Added: 49, Changed: 1, Removed: 0, Unchanged: 50 });
  });

  test('says how much may have been written when responses are lost', async () => {
    decideWrites((write) => (write > 5 ? 'loseResponse' : 'through'));
    const { code, stderr } = await importCodes(100);
    expect(code).toBe(1);
    const [, more] = /^50 of 100 changes are written .* Up to (\d+) more may have been/m.exec(stderr) ?? [];
    const written = (await stored()).length;
    expect(written).toBeGreaterThan(50);
    expect(written).toBeLessThanOrEqual(50 + Number(more));
  });

  test('names rows that somebody else has changed in the meantime, and writes the others', async () => {
    await put(codeOf('A', { Name: { S: 'old' } }), codeOf('B'));
    engine.decide(async (call): Promise<Fault> => {
      if (call === 'TransactWriteItems') await put(codeOf('A', { Name: { S: 'theirs' } }));
      return 'through';
    });
    const file = fileOf('MaterialCode,Name\nA,mine\nB,mine\n', 'mine.csv');
    const { code: exit, stdout, stderr } = await adminHereOn(data, ['codes', 'import', file]);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(
      /^1 of 2 changes are written \(0 added, 1 changed, 0 removed\)\. Somebody else has changed "A" in the meantime; these rows stay as they are\. Run the same/m,
    );
    const names = (await stored()).map(({ MaterialCode, Name }) => [MaterialCode?.S, Name?.S]);
    expect(Object.fromEntries(names)).toEqual({ A: 'theirs', B: 'mine' });
  });

  test('ends on Ctrl-C after the writes under way, and completes it when run again', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    decideWrites((write) => {
      // npm passes the signal on, so it may arrive twice.
      if (write === 1) for (const _ of [1, 2]) process.emit('SIGINT', 'SIGINT');
      return 'through';
    });
    const { code, stdout, stderr } = await importCodes(300);
    expect(exit).not.toHaveBeenCalled();
    exit.mockRestore();
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    const written = (await stored()).length;
    expect(written).toBeLessThan(300);
    expect(stderr).toContain('Ending after the writes that have already started.\n');
    expect(stderr).toContain(
      `${written} of 300 changes are written (${written} added, 0 changed, 0 removed)`,
    );
    const again = await importCodes(300);
    expect(JSON.parse(again.stdout)).toMatchObject({ Added: 300 - written, Unchanged: written });
  });

  test('ends on Ctrl-C before the first write with one sentence', async () => {
    const arrived = Promise.withResolvers<void>();
    engine.decide(() => {
      arrived.resolve();
      return new Promise(() => {});
    });
    const child = startAdmin(data, ['codes', 'import', fileOf('MaterialCode\nA\n', 'one.csv')]);
    const words = text(child.stderr);
    const exit = once(child, 'close');
    await arrived.promise;
    child.kill('SIGINT');
    expect(await exit).toEqual([130, null]);
    expect(await words).toBe('Ended early. Nothing was written.\n');
  });

  test('reports an unfinished removal with its own advice', async () => {
    await put(codeOf('A'));
    engine.decide((call) => (call === 'DeleteItem' ? 'deny' : 'through'));
    const ended = await adminHereOn(data, ['codes', 'remove', 'A', '--yes']);
    expect(ended).toEqual(refusal(/^0 of 1 change is written .* again with the rows that are still/m));
  });
});

test('a list that just fits the API is served, and one letter or row more is refused', async () => {
  const row = (index: number, length: number) => {
    return { PurchaseOrder: `OT${1_000_000 + index}`, Note: 'n'.repeat(length) };
  };
  const bytesOf = (PurchaseOrders: object[]) =>
    Buffer.byteLength(JSON.stringify(okResponse({ PurchaseOrders })));
  const importOrders = (content: string, ...options: string[]) =>
    command('orders', 'import', fileOf(content), ...options);

  const rows = Array.from({ length: 31 }, (_, index) => row(index, 200_000));
  const space = MAX_FUNCTION_RESPONSE_BYTES - bytesOf([...rows, row(31, 0)]);
  const fits = await importOrders(JSON.stringify([...rows, row(31, space)]), '--json');
  expect({ code: fits.code, ...JSON.parse(fits.stdout) }).toMatchObject({ code: 0, Added: 32 });
  const response = await served('PurchaseOrders');
  expect(response.status).toBe(200);
  expect(JSON.parse(response.text).PurchaseOrders).toHaveLength(32);

  const more = await importOrders('PurchaseOrder\nOT9999999\n');
  expect(more).toEqual(
    refusal(
      /33 rows need 6\u202f291\u202f5\d\d bytes .* has at most 6\u202f291\u202f556\. About 32 such rows fit/,
    ),
  );
  const longer = await importOrders(JSON.stringify([row(31, space + 1)]));
  expect(longer).toEqual(refusal('need 6\u202f291\u202f557 bytes'));
  expect(await stored('PurchaseOrders')).toHaveLength(32);
});
