import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Format } from '../../../admin/cli/output.ts';
import { writeRows } from '../../../admin/formats/write-rows.ts';
import { readRows } from '../../../admin/import/read-rows.ts';
import { exportColumns, shownColumns } from '../../../admin/lists/export-list.ts';
import { planImport } from '../../../admin/lists/plan-import.ts';
import type { CatalogItem } from '../../../admin/store/catalog-writer.ts';
import type { AttributeValue } from '../../../shared/storage/attribute-json.ts';
import { anyCharacter } from '../../support/any-character.ts';

const KEY = 'MaterialCode';

/** With what CSV, JSON and titles could trip over. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    ...['', '"', ',', ';', '\r\n', '\r', ' x ', 'null', '7', '7.85', '[]', '\u2028', '=1+1', "'=1", "''-"],
    ...['-5', '\t', '_x0041_', '_x005F_x0041_', '\uFFFE\uFFFF', '&lt;', '\u0000', '00123', 'sep=;'],
  ),
);
const name = fc
  .oneof(text, fc.constantFrom('constructor', 'a:number', 'a:json', 'a:json:json', '1', 'PurchaseOrder'))
  .filter((name) => name.trim() !== '' && name !== '__proto__' && name !== KEY);
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
const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map((S): AttributeValue => ({ S })),
    number.map((N): AttributeValue => ({ N })),
    fc.boolean().map((BOOL): AttributeValue => ({ BOOL })),
    fc.constant<AttributeValue>({ NULL: true }),
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
  .array(attributes, { minLength: 1, maxLength: 6 })
  .map((rows) => rows.map((row, index): CatalogItem => ({ ...row, [KEY]: { S: `Код-${index}` } })));

const exported = async (rows: CatalogItem[], format: Format) => {
  const pieces: Buffer[] = [];
  const columns = format.kind === 'json' ? shownColumns(rows, KEY) : exportColumns(rows, KEY);
  const keep = async (piece: string | Uint8Array) => {
    pieces.push(Buffer.from(piece));
  };
  await writeRows(keep, format, columns, rows);
  return Buffer.concat(pieces);
};

async function* once(content: Buffer) {
  yield content;
}

const csv = { kind: 'csv', hasByteOrderMark: true } as const;
const formats: [Format, numRuns: number][] = [
  [{ ...csv, separator: ',', decimal: '.' }, 15],
  [{ ...csv, separator: ';', decimal: ',' }, 15],
  [{ ...csv, separator: ',', decimal: ',' }, 15],
  [{ ...csv, separator: ';', decimal: '.' }, 15],
  [{ kind: 'json' }, 15],
  [{ kind: 'xlsx' }, 1],
];

test.each(formats)('an import of any exported table finds no difference: %o', async (format, numRuns) => {
  // Texts that look like numbers are pointed out.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  const decimal = format.kind === 'csv' ? format.decimal : undefined;
  const isUnchanged = async (rows: CatalogItem[]) => {
    const content = once(await exported(rows, format));
    const file = await readRows(content, 'MaterialCodes', { notice: () => {}, decimal });
    const stored = new Map(rows.map((row) => [row[KEY]?.S ?? '', row]));
    for (const isReplaced of [true, false]) {
      const plan = planImport('MaterialCodes', { stored, file }, isReplaced);
      expect(plan).toEqual({ changes: [], unchanged: rows.length });
    }
  };
  await fc.assert(fc.asyncProperty(items, isUnchanged), { numRuns });
});
