import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answerOk } from '../../shared/schemas/http-answer.ts';
import { MAX_FUNCTION_ANSWER_BYTES } from '../../shared/schemas/limits.ts';
import type { CatalogName } from '../../shared/storage/catalog.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { eventually, type LocalRun, startLocal } from '../support/local-run.ts';
import { rowsOf, testClient } from '../support/tables.ts';
import { admin, adminLine, startAdmin } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { disturbed, type Fate } from './lists/proxy.ts';
import { atTerminal } from './pseudo-terminal.ts';

let run: LocalRun;
let folder: string;

beforeAll(async () => {
  run = await startLocal({ args: ['--demo', '--quiet', '--no-throttle', '--memory'] });
  folder = temporaryFolder();
});

const tableOf = (name: CatalogName) => run.outputs().Tables[name] ?? '';
const clientOf = () => testClient(run.outputs().DynamoDbEndpoint);
const stored = (name: CatalogName) => rowsOf(tableOf(name), clientOf());

type Item = NonNullable<PutItemCommand['input']['Item']>;

const put = (name: CatalogName, Item: Item) =>
  clientOf().send(new PutItemCommand({ TableName: tableOf(name), Item }));

/** Leaves these rows and no others. */
const holdOnly = async (name: CatalogName, key: string, items: Item[]) => {
  const TableName = tableOf(name);
  const requests = (await stored(name)).map((item) => ({
    DeleteRequest: { Key: { [key]: item[key] ?? { S: '' } } },
  }));
  for (let from = 0; from < requests.length; from += 25) {
    const RequestItems = { [TableName]: requests.slice(from, from + 25) };
    await clientOf().send(new BatchWriteItemCommand({ RequestItems }));
  }
  for (const item of items) await put(name, item);
};

const paths = { MaterialCodes: 'material-codes', PurchaseOrders: 'purchase-orders' };
const served = async (name: CatalogName) => {
  const { status, text } = await run.get(paths[name]);
  return { status, text };
};

const fileOf = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const codes = (count: number, prefix = 'C') =>
  `MaterialCode\n${Array.from({ length: count }, (_, index) => `${prefix}-${index}\n`).join('')}`;

const ODD: Item[] = [
  { MaterialCode: { S: 'A' } },
  {
    MaterialCode: { S: 'B' },
    constructor: { S: 'c' },
    Name: { S: ' "Лист"; 10,5\r\nмм\n' },
    Weight: { N: '12345678901234567890.123456789012345678' },
    Mixed: { N: '7.85' },
    Tags: { SS: ['b', 'a'] },
    Sizes: { NS: ['2', '10'] },
    Bytes: { B: Buffer.from([0, 1, 255]) },
    Parts: { BS: [Buffer.from('x'), Buffer.from('y')] },
    Nested: { M: { list: { L: [{ NULL: true }, { N: '1e-130' }, { SS: ['z'] }] }, empty: { M: {} } } },
    None: { NULL: true },
    Yes: { BOOL: false },
    Empty: { S: '' },
    'kg:number': { S: 'text' },
    'm:json': { N: '1' },
  },
  { MaterialCode: { S: 'Сталь-10/А' }, Mixed: { S: '7.85' }, Weight: { N: '-0.5' }, 'x,y;z': { S: '=1+1' } },
];

describe('a list is shown', () => {
  beforeEach(() => holdOnly('MaterialCodes', 'MaterialCode', ODD));

  test('as the API answers it, digit by digit, and for people with every attribute as a column', async () => {
    const [json, table, csv] = await Promise.all([
      admin(run.data, ['codes', 'list', '--json']),
      admin(run.data, ['codes', 'list']),
      admin(run.data, ['codes', 'list', '--csv']),
    ]);
    const { text } = await served('MaterialCodes');
    expect(`{"MaterialCodes":${json.stdout.replaceAll('\n', '')}}`).toBe(text);
    expect(table.stdout.split('\n')[0]).toMatch(/^MaterialCode +Bytes +Empty +Mixed +Name +Nested +/);
    expect(table.stdout).toMatch(/^Сталь-10\/А .* 7\.85 /m);
    expect(table.stdout).toContain('12345678901234567890.123456789012345678');
    expect(csv.stdout.split('\r\n')[0]).toMatch(/^MaterialCode,Bytes,.*,"x,y;z"$/);
    for (const { code, stderr } of [json, table, csv])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('an export', () => {
  beforeEach(() => holdOnly('MaterialCodes', 'MaterialCode', ODD));

  const UNCHANGED = { Added: 0, Changed: 0, Removed: 0, Unchanged: 3 };

  test('is read back without any difference, as CSV', async () => {
    const out = join(folder, 'out.csv');
    const exported = await adminHereOn(run.data, ['codes', 'export', '--separator', ';', '--out', out]);
    expect(exported).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('3 rows') });
    expect(readFileSync(out, 'utf8')).toMatch(/^\uFEFFMaterialCode;Bytes:json;Empty:json;Mixed:json;Name;/);
    expect(readFileSync(out, 'utf8')).toContain('kg:number:json');
    expect(readdirSync(folder)).not.toContain('out.csv.new');
    const before = await stored('MaterialCodes');
    const { code, stdout } = await adminHereOn(run.data, ['codes', 'import', out, '--replace', '--json']);
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, ...UNCHANGED });
    expect(await stored('MaterialCodes')).toEqual(before);
  });

  test('is read back without any difference, as JSON through a pipe', async () => {
    const { stdout: input, stderr } = await admin(run.data, ['codes', 'export', '--json']);
    expect(stderr).toBe('');
    const again = await admin(run.data, ['codes', 'import', '-', '--replace', '--json'], { input });
    expect({ code: again.code, ...JSON.parse(again.stdout) }).toEqual({ code: 0, ...UNCHANGED });
  });

  test('as CSV through a pipe holds nothing but the data', async () => {
    const { stdout, stderr } = await admin(run.data, ['codes', 'export']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\uFEFFMaterialCode,/);
    expect(stdout).toMatch(/\r\nСталь-10\/А,.*=1\+1\r\n$/);
  });
});

describe('what an import cannot carry', () => {
  test('is told of by an export, and lost by no import', async () => {
    await holdOnly('MaterialCodes', 'MaterialCode', [{ MaterialCode: { S: 'not taken' } }]);
    // The SDK would not send it.
    await fetch(run.outputs().DynamoDbEndpoint, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': 'DynamoDB_20120810.PutItem',
        'X-Amz-Date': '20260101T000000Z',
        Authorization:
          'AWS4-HMAC-SHA256 Credential=a/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x',
      },
      body: `{"TableName":"${tableOf('MaterialCodes')}","Item":{"MaterialCode":{"S":"A"},"__proto__":{"S":"p"},"Name":{"S":"n"}}}`,
    });
    const { stdout, stderr } = await adminHereOn(run.data, ['codes', 'export']);
    expect(stdout).toBe('\uFEFFMaterialCode,Name\r\nA,n\r\nnot taken,\r\n');
    expect(stderr).toMatch(
      /^1 row with a MaterialCode that .*\nAn attribute named __proto__ .* left out\.\n$/,
    );
    const same = await admin(run.data, ['codes', 'import', '-', '--json'], {
      input: 'MaterialCode,Name\nA,n\n',
    });
    expect(JSON.parse(same.stdout)).toMatchObject({ Changed: 0, Unchanged: 1 });
    const other = await admin(run.data, ['codes', 'import', '-'], { input: 'MaterialCode,Name\nA,x\n' });
    expect(other).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/line 2: "A": .* __proto__, which would be/),
    });
  });
});

describe('an import', () => {
  beforeEach(() =>
    holdOnly('MaterialCodes', 'MaterialCode', [
      { MaterialCode: { S: 'A' }, Name: { S: 'old' }, Kept: { S: 'k' }, Tags: { SS: ['b', 'a'] } },
      { MaterialCode: { S: 'B' }, Name: { S: 'b' } },
    ]),
  );

  test('of a file as Excel writes it shows first what it would do, then merges it in, and changes nothing again', async () => {
    const file = fileOf(
      'excel.csv',
      '\uFEFFКод;Name;Weight:number;Tags:json\r\nA;;7.850;"[""a"",""b""]"\r\nСталь-10/А;"Лист ""10"";\nмм";12345678901234567890123456789012345678;\r\n',
    );
    const before = await stored('MaterialCodes');
    const dry = await adminHereOn(run.data, ['codes', 'import', file, '--dry-run', '--json']);
    expect(await stored('MaterialCodes')).toEqual(before);
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.stdout)).toEqual([
      { Change: 'added', MaterialCode: 'Сталь-10/А', Attribute: 'Name', After: 'Лист "10";\nмм' },
      {
        Change: 'added',
        MaterialCode: 'Сталь-10/А',
        Attribute: 'Weight',
        After: expect.any(Number),
      },
      { Change: 'changed', MaterialCode: 'A', Attribute: 'Name', Before: 'old' },
      { Change: 'changed', MaterialCode: 'A', Attribute: 'Weight', After: 7.85 },
    ]);
    expect(dry.stdout).toContain('"After":12345678901234567890123456789012345678}');
    expect(dry.stderr).toContain('1 row would be added, 1 changed, 0 removed');

    const { code, stdout, stderr } = await admin(run.data, ['codes', 'import', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('1 row added, 1 changed') });
    expect(stdout).toMatch(/^Added +1$/m);
    expect((await served('MaterialCodes')).text).toBe(
      '{"MaterialCodes":[{"MaterialCode":"A","Kept":"k","Tags":["b","a"],"Weight":7.85},{"MaterialCode":"B","Name":"b"},{"MaterialCode":"Сталь-10/А","Name":"Лист \\"10\\";\\nмм","Weight":12345678901234567890123456789012345678}]}',
    );
    expect(await stored('MaterialCodes')).toContainEqual(
      expect.objectContaining({ MaterialCode: { S: 'A' }, Tags: { SS: ['b', 'a'] } }),
    );
    const again = await adminHereOn(run.data, ['codes', 'import', file, '--csv']);
    expect(again.stdout).toBe('Name,Value\r\nAdded,0\r\nChanged,0\r\nRemoved,0\r\nUnchanged,2\r\n');
  });

  test('of JSON keeps every kind of value', async () => {
    const input =
      '[{"MaterialCode":"J","Big":1e40,"None":null,"Yes":true,"Deep":{"a":[1.10,{"constructor":""}]}}]';
    const { code } = await admin(run.data, ['codes', 'import', '-'], { input });
    expect(code).toBe(0);
    expect((await served('MaterialCodes')).text).toContain(
      '{"MaterialCode":"J","Big":10000000000000000000000000000000000000000,"Deep":{"a":[1.1,{"constructor":""}]},"None":null,"Yes":true}',
    );
  });

  test('that replaces asks, wants --yes where nobody can be asked, and then leaves exactly the file', async () => {
    const file = fileOf('replace.csv', 'MaterialCode,New\nA,x\n');
    const replace = ['codes', 'import', file, '--replace'];
    const before = await stored('MaterialCodes');
    const refused = await admin(run.data, replace);
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/1 of the 2 .*--yes/s),
    });
    const dry = await adminHereOn(run.data, [...replace, '--dry-run', '--csv']);
    expect(dry.stdout.split('\r\n')).toContain('removed,B,Name,"""b""",');

    const interrupted = atTerminal(adminLine(run.data, replace));
    await eventually(() => /Remove 1 of the 2 MaterialCodes in the list\?/.test(interrupted.seen()));
    interrupted.type('\u0003');
    expect((await interrupted.exit).code).toBe(1);
    expect(await stored('MaterialCodes')).toEqual(before);

    const agreed = atTerminal(adminLine(run.data, replace));
    await eventually(() => /Remove 1 of the 2/.test(agreed.seen()));
    agreed.type('y\n');
    const { code, seen } = await agreed.exit;
    expect(code).toBe(0);
    expect(seen).toMatch(/Writing MaterialCodes █+ 100 %/);
    expect((await served('MaterialCodes')).text).toBe('{"MaterialCodes":[{"MaterialCode":"A","New":"x"}]}');

    const without = await admin(run.data, ['codes', 'import', '-', '--replace', '--yes', '--json'], {
      input: 'MaterialCode\nC\n',
    });
    expect(JSON.parse(without.stdout)).toEqual({ Added: 1, Changed: 0, Removed: 1, Unchanged: 0 });
    expect((await served('MaterialCodes')).text).toBe('{"MaterialCodes":[{"MaterialCode":"C"}]}');
  });

  test('of a faulty file names every fault with its line, and writes nothing', async () => {
    const file = fileOf('faulty.csv', 'MaterialCode,Weight:number\nGood,1\nA B,1\nGood,2\nC,"7,85"\n');
    const before = await stored('MaterialCodes');
    const { code, stdout, stderr } = await admin(run.data, ['codes', 'import', file]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /3 faults; nothing was written.\nline 3: .*\nline 4: .* line 2 already\nline 5: .*7\.85\n$/,
    );
    const wrongEncoding = await admin(run.data, ['codes', 'import', '-'], {
      input: Buffer.from([0x41, 0x0a, 0xcb]),
    });
    expect(wrongEncoding).toMatchObject({ code: 1, stderr: expect.stringContaining('CSV UTF-8') });
    const missing = await adminHereOn(run.data, ['codes', 'import', join(folder, 'missing.csv')]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read') });
    expect(await stored('MaterialCodes')).toEqual(before);
  });

  test('of a row that would outgrow an item together with what it has is refused', async () => {
    await put('MaterialCodes', { MaterialCode: { S: 'B' }, Long: { S: 'x'.repeat(300_000) } });
    const input = `MaterialCode,More\nA,x\nB,${'y'.repeat(200_000)}\n`;
    const { code, stderr } = await admin(run.data, ['codes', 'import', '-'], { input });
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/line 3: "B": the row takes up to 500,/),
    });
    expect(
      (await stored('MaterialCodes')).find(({ MaterialCode }) => MaterialCode?.S === 'A'),
    ).not.toHaveProperty('More');
  });
});

describe('an import that is disturbed', () => {
  beforeEach(() => holdOnly('MaterialCodes', 'MaterialCode', []));

  const importing = (count: number) => [fileOf('many.csv', codes(count)), '--json'];

  test('writes again what the table did not take', async () => {
    const fates: Record<number, Fate> = {
      1: { unprocessed: 10 },
      2: { unprocessed: 25 },
      3: 'throttled',
      4: 'cut',
      5: 'lost',
      9: { unprocessed: 1 },
      10: 'throttled',
    };
    const proxy = await disturbed(run, (batch) => fates[batch] ?? 'through');
    const { code, stdout, stderr } = await admin(proxy.data, ['codes', 'import', ...importing(260)]);
    await proxy.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('█') });
    expect(JSON.parse(stdout)).toMatchObject({ Added: 260 });
    expect(await stored('MaterialCodes')).toHaveLength(260);
  });

  test('tells how much is written where it fails in the middle, and completes it when run again', async () => {
    await put('MaterialCodes', { MaterialCode: { S: 'C-0' }, Name: { S: 'changes' } });
    const replacing = ['codes', 'import', ...importing(1_000), '--replace', '--yes'];
    const proxy = await disturbed(run, (batch) => (batch > 20 ? 'denied' : 'through'));
    const { code, stdout, stderr } = await adminHereOn(proxy.data, replacing);
    await proxy.stop();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/may not do that/);
    expect(stderr).toContain(
      '500 of 1,000 changes are written (500 added, 0 changed, 0 removed). Run the same command again to complete it: it writes only what is missing.',
    );
    expect(await stored('MaterialCodes')).toHaveLength(501);
    const again = await adminHereOn(run.data, replacing);
    expect(JSON.parse(again.stdout)).toEqual({ Added: 499, Changed: 1, Removed: 0, Unchanged: 500 });
  });

  test('tells of what may have been written, where answers were lost', async () => {
    const proxy = await disturbed(run, (batch) => (batch > 4 ? 'lost' : 'through'));
    const { code, stderr } = await adminHereOn(proxy.data, ['codes', 'import', ...importing(500)]);
    await proxy.stop();
    expect(code).toBe(1);
    const [, known, more] =
      /(\d+) of 500 changes are written .* Up to (\d+) more may have been/.exec(stderr) ?? [];
    const there = (await stored('MaterialCodes')).length;
    expect(Number(known)).toBe(100);
    expect(there).toBeGreaterThan(100);
    expect(there).toBeLessThanOrEqual(100 + Number(more));
  });

  test('ends on Ctrl-C once what is on its way is written, and completes it when run again', async () => {
    const held = Promise.withResolvers<void>();
    const proxy = await disturbed(run, async (batch): Promise<Fate> => {
      if (batch > 8) await held.promise;
      return 'through';
    });
    const { child, said, exit } = startAdmin(proxy.data, ['codes', 'import', ...importing(1_000)]);
    await eventually(() => proxy.batches() === 16);
    child.kill('SIGINT');
    await eventually(() => said.stderr.includes('Ending, once what is on its way is written.'));
    held.resolve();
    const { code, stdout, stderr } = await exit;
    await proxy.stop();
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Ending, once what is on its way is written.\n400 of 1,000 changes are written (400 added, 0 changed, 0 removed). Run the same command again to complete it: it writes only what is missing.\n',
    });
    expect(await stored('MaterialCodes')).toHaveLength(400);
    const again = await adminHereOn(run.data, ['codes', 'import', ...importing(1_000)]);
    expect(JSON.parse(again.stdout)).toEqual({ Added: 600, Changed: 0, Removed: 0, Unchanged: 400 });
  });
});

describe('numbers that would become texts', () => {
  test('are told of before anything is written, also in a dry run', async () => {
    const before = [{ MaterialCode: { S: 'A' }, Weight: { N: '7.85' } }];
    await holdOnly('MaterialCodes', 'MaterialCode', before);
    const input = 'Код;Weight\nA;7,85\n';
    const words =
      'The first column, "Код", names the rows.\n"Weight" is a number in 1 row of the list and becomes a text; title the column Weight:number to keep it one.\n0 rows ';
    const dry = await admin(run.data, ['codes', 'import', '-', '--dry-run'], { input });
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
    expect(await stored('MaterialCodes')).toEqual(before);
    const real = await admin(run.data, ['codes', 'import', '-'], { input });
    expect(real).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
    const titled = { input: 'MaterialCode;Weight:number\nA;7,85\n' };
    const mended = await admin(run.data, ['codes', 'import', '-'], titled);
    expect(mended.stderr).toMatch(/^0 rows added, 1 changed/);
    expect(await stored('MaterialCodes')).toEqual(before);
  });
});

describe('rows are removed', () => {
  beforeEach(() =>
    holdOnly(
      'MaterialCodes',
      'MaterialCode',
      ['A', 'Сталь-10/А', 'not taken', 'C'].map((code) => ({ MaterialCode: { S: code } })),
    ),
  );

  const codesLeft = async () =>
    (await stored('MaterialCodes')).map(({ MaterialCode }) => MaterialCode?.S).sort();
  const ALL = ['A', 'C', 'not taken', 'Сталь-10/А'];

  test('by what names them, once they are agreed to', async () => {
    const removing = ['codes', 'remove', 'Сталь-10/А', 'not taken', 'not taken'];
    const unasked = await admin(run.data, removing);
    expect(unasked).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Remove 2 of the 4 MaterialCodes in the list\?\n.*--yes/),
    });
    expect(await codesLeft()).toEqual(ALL);
    const { code, stdout, stderr } = await adminHereOn(run.data, [...removing, '--yes', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 rows removed; the list has 2 now.\n' });
    expect(JSON.parse(stdout)).toEqual({ Removed: 2 });
    expect(await codesLeft()).toEqual(['A', 'C']);
  });

  test('none of them, where one is not in the list', async () => {
    const wrong = await adminHereOn(run.data, ['codes', 'remove', 'A', 'a', 'B', '--yes']);
    expect(wrong).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Not in the list: "a", "B". Nothing was removed.\n',
    });
    expect(await codesLeft()).toEqual(ALL);
  });

  test('at a terminal, where the question is answered', async () => {
    const removing = atTerminal(adminLine(run.data, ['codes', 'remove', 'A']));
    await eventually(() => /Remove 1 of the 4 MaterialCodes in the list\?/.test(removing.seen()));
    removing.type('y\n');
    const { code, seen } = await removing.exit;
    expect({ code, seen }).toEqual({ code: 0, seen: expect.stringMatching(/Removed +1/) });
    expect(await codesLeft()).toEqual(ALL.filter((left) => left !== 'A'));
  });

  test('as far as the table takes it, and what is to be done then is told', async () => {
    const proxy = await disturbed(run, () => 'denied');
    const { code, stderr } = await adminHereOn(proxy.data, ['codes', 'remove', 'A', '--yes']);
    await proxy.stop();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /0 of 1 change is written \(0 added, 0 changed, 0 removed\)\. Run the command again with those that are still/,
      ),
    });
  });

  test('of the orders in the same way', async () => {
    await holdOnly('PurchaseOrders', 'PurchaseOrder', [{ PurchaseOrder: { S: 'OT1234567' } }]);
    const { code, stdout } = await adminHereOn(run.data, ['orders', 'remove', 'OT1234567', '--yes']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Removed +1$/m) });
    expect(await stored('PurchaseOrders')).toEqual([]);
  });
});

describe('the limit of a list', () => {
  const note = (length: number) => 'n'.repeat(length);
  const row = (index: number, length: number) => ({
    PurchaseOrder: `OT${1_000_000 + index}`,
    Note: note(length),
  });
  const bytesOf = (PurchaseOrders: object[]) =>
    Buffer.byteLength(JSON.stringify(answerOk({ PurchaseOrders })));

  test('is exact: what just fits is served, and a row or a letter more is refused', async () => {
    await holdOnly('PurchaseOrders', 'PurchaseOrder', []);
    const rows = Array.from({ length: 31 }, (_, index) => row(index, 200_000));
    const room = MAX_FUNCTION_ANSWER_BYTES - bytesOf([...rows, row(31, 0)]);
    const fitting = [...rows, row(31, room)];
    const file = fileOf('fits.json', JSON.stringify(fitting));
    const fits = await adminHereOn(run.data, ['orders', 'import', file, '--json']);
    expect({ code: fits.code, ...JSON.parse(fits.stdout) }).toMatchObject({ code: 0, Added: 32 });
    const answer = await served('PurchaseOrders');
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).PurchaseOrders).toHaveLength(32);

    const orders = ['orders', 'import', '-'];
    const more = await admin(run.data, orders, { input: 'PurchaseOrder\nOT9999999\n' });
    expect(more).toMatchObject({ code: 1, stdout: '' });
    expect(more.stderr).toMatch(
      /33 rows take 6,291,5\d\d bytes of an answer, and the platform carries 6,291,556: about 32 such rows fit/,
    );
    const letter = JSON.stringify([row(31, room + 1)]);
    const longer = await admin(run.data, orders, { input: letter });
    expect(longer).toMatchObject({ code: 1, stderr: expect.stringContaining('take 6,291,557 bytes') });
    expect(await stored('PurchaseOrders')).toHaveLength(32);

    await put('PurchaseOrders', { PurchaseOrder: { S: 'OT9999999' } });
    expect((await served('PurchaseOrders')).status).toBe(500);
    const mended = await admin(run.data, [...orders, '--replace', '--yes', '--json'], {
      input: `PurchaseOrder\n${'OT0000001\nOT1000000'}\n`,
    });
    expect(JSON.parse(mended.stdout)).toEqual({ Added: 1, Changed: 1, Removed: 32, Unchanged: 0 });
    expect(await served('PurchaseOrders')).toEqual({
      status: 200,
      text: '{"PurchaseOrders":[{"PurchaseOrder":"OT0000001"},{"PurchaseOrder":"OT1000000"}]}',
    });
  });
});
