import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeRows } from '../../../admin/formats/write-rows.ts';
import { toExport } from '../../../admin/lists/files/export-list.ts';
import { readRows } from '../../../admin/lists/files/read-rows.ts';
import { planChanges } from '../../../admin/lists/plan/plan-changes.ts';
import { isSameValue } from '../../../admin/lists/values/compare-values.ts';
import type { Format } from '../../../admin/text/output.ts';
import type { AttributeValue, Item } from '../../../shared/storage/attribute-json.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { bytesOf } from '../in-process.ts';

const KEY = 'MaterialCode';

/** With what CSV, JSON and titles could trip over. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    ...['', '"', ',', ';', '\r\n', '\r', ' x ', 'null', '7', '7.85', '[]', '\u2028', '=1+1', "'=1", "''-"],
    ...['kg;=1+1', "a,''-b", 'a\t+1', 'a\n@b', 'a;"=1;"', '",=1'],
    ...['-5', '\t', '_x0041_', '_x005F_x0041_', '\uFFFE\uFFFF', '&lt;', '\u0000', '00123', 'sep=;'],
  ),
);
const name = fc
  .oneof(
    text,
    fc.constantFrom('constructor', 'a:number', 'a: json', 'a:json:json', '1', 'PurchaseOrder', 'DynamoDB'),
  )
  .filter((name) => name === name.trim() && !['', '__proto__', KEY].includes(name));
const number = fc
  .tuple(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: -90, max: 80 }))
  .map(([digits, exponent]) => (digits === 0n ? '0' : plain(digits, exponent)));

/** As DynamoDB gives it back. */
const plain = (digits: bigint, exponent: number) => {
  if (exponent >= 0) return `${digits}${'0'.repeat(exponent)}`;
  const sign = digits < 0n ? '-' : '';
  const padded = digits
    .toString()
    .replace('-', '')
    .padStart(1 - exponent, '0');
  const fraction = padded.slice(exponent).replace(/0+$/, '');
  return `${sign}${padded.slice(0, exponent)}${fraction ? `.${fraction}` : ''}`;
};

const bytes = fc.uint8Array({ minLength: 1, maxLength: 5 });
const set = { minLength: 1, maxLength: 3 };
/** What a file has in place of a set, but as a stored object. */
const formOfSet: AttributeValue = { M: { DynamoDB: { M: { SS: { L: [{ S: 'a' }] } } } } };
const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map((S): AttributeValue => ({ S })),
    number.map((N): AttributeValue => ({ N })),
    fc.boolean().map((BOOL): AttributeValue => ({ BOOL })),
    fc.constantFrom<AttributeValue>({ NULL: true }, formOfSet, { M: { DynamoDB: { M: { M: formOfSet } } } }),
    bytes.map((B): AttributeValue => ({ B })),
    fc.uniqueArray(text, set).map((SS): AttributeValue => ({ SS })),
    fc.uniqueArray(number, set).map((NS): AttributeValue => ({ NS })),
    fc.uniqueArray(bytes, { ...set, selector: String }).map((BS): AttributeValue => ({ BS })),
    fc.array(tie('value'), { maxLength: 3 }).map((L): AttributeValue => ({ L })),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }).map((M): AttributeValue => ({ M: { ...M } })),
  ),
}));
const attributes = fc.dictionary(name, value, { maxKeys: 5 });
const items = fc
  .array(attributes, { maxLength: 6 })
  .map((rows) => rows.map((row, index): Item => ({ ...row, [KEY]: { S: `Код-${index}` } })));

const exported = (rows: Item[], format: Format) => {
  const { columns } = toExport('MaterialCodes', rows, format.kind === 'json');
  return bytesOf((sink) => writeRows(sink, format, columns, rows));
};

const csv = { kind: 'csv', hasByteOrderMark: true } as const;
/** Whether a person has to say which decimal sign the file has. */
const formats: [Format, isChosen: boolean, numRuns: number][] = [
  [{ ...csv, separator: ',', decimal: '.' }, false, 15],
  [{ ...csv, separator: ';', decimal: ',' }, false, 15],
  [{ ...csv, separator: ',', decimal: ',' }, true, 15],
  [{ ...csv, separator: ';', decimal: '.' }, true, 15],
  [{ kind: 'json' }, false, 15],
  [{ kind: 'xlsx' }, false, 5],
];

/** What a spreadsheet with any separator would run. `-5` is a number, also in JSON. */
const FORMULA = /(?:^|[;,\t\r\n])"*(?:[=+@＝＋－＠]|-(?!\d))/;

test.each(formats)('an import of any exported table finds no difference: %o', async (...given) => {
  const [format, isChosen, numRuns] = given;
  const decimal = format.kind === 'csv' && isChosen ? format.decimal : undefined;
  const isUnchanged = async (rows: Item[]) => {
    const file = await exported(rows, format);
    if (format.kind === 'csv') expect(String(file)).not.toMatch(FORMULA);
    const given = await readRows(file, 'MaterialCodes', { decimal });
    const stored = new Map(rows.map((row) => [row[KEY]?.S ?? '', row]));
    for (const isReplaced of [true, false]) {
      const { changes, unchanged } = await planChanges('MaterialCodes', stored, given, isReplaced);
      expect({ changes, unchanged }).toEqual({ changes: [], unchanged: rows.length });
    }
    // Rows that were removed come back as they were, with their sets and bytes.
    const { changes } = await planChanges('MaterialCodes', new Map(), given);
    for (const { identifier, after } of changes) {
      expect(isSameValue({ M: after }, { M: stored.get(identifier) ?? {} })).toBe(true);
    }
  };
  await fc.assert(fc.asyncProperty(items, isUnchanged), { numRuns });
});

test.each([
  ['is no difference', { Tags: { DynamoDB: { SS: ['a', 'b'] } } }, 1],
  ['is a difference beside a new value', { Tags: { DynamoDB: { SS: ['a', 'b'] } }, New: 1 }, 0],
])('a set whose members are in another order %s', async (_, In, unchanged) => {
  const stored = new Map([['A', { [KEY]: { S: 'A' }, In: { M: { Tags: { SS: ['b', 'a'] } } } }]]);
  const given = await readRows(Buffer.from(JSON.stringify([{ [KEY]: 'A', In }])), 'MaterialCodes', {});
  expect(await planChanges('MaterialCodes', stored, given)).toMatchObject({ unchanged });
});

test('a row with more members of an array than an item of DynamoDB holds is refused', async () => {
  const content = JSON.stringify([{ [KEY]: 'A', Tags: Array.from({ length: 409_600 }, () => '') }]);
  const given = await readRows(Buffer.from(content), 'MaterialCodes', {});
  const plan = () => planChanges('MaterialCodes', new Map(), given);
  await expect(plan()).rejects.toThrow(
    /"A": the row has up to 409\u202f\d+ bytes, but DynamoDB keeps at most 409\u202f600 in one item/,
  );
});
