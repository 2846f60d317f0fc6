// What a warehouse may send, and the words of each refusal. The schemas, HTTP, the API document, the import of lists and the
// reference of the hostile requests are tested with the same rows.

/** A value as JSON text, or none for a missing field. What is refused has its message, and its place below the field. */
export type ValueCase = { json?: string | undefined; refusal?: string; place?: string };

/** A body with the character U+FFFD itself counts as not UTF-8. */
const jsonOf = (value: unknown) => JSON.stringify(value)?.replaceAll('\uFFFD', '\\uFFFD');

const accepted = (...values: unknown[]): ValueCase[] => values.map((value) => ({ json: jsonOf(value) }));
const refused = (refusal: string, ...values: unknown[]) =>
  accepted(...values).map((value): ValueCase => ({ ...value, refusal }));
const missing = (name: string): ValueCase => ({ refusal: `The field ${name} is missing.` });

/** Valid numbers, and the digits that are stored. */
export const balances = [
  ['0', '0'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['-12.125', '-12.125'],
  ['1.125', '1.125'],
  ['1.10', '1.1'],
  ['1e3', '1000'],
  ['1e-3', '0.001'],
  ['123456789012.345', '123456789012.345'],
  ['0.1000000000000000055511151231257827', '0.1'],
  ['9007199254740991', '9007199254740991'],
  ['-9007199254740991', '-9007199254740991'],
  ['9007199254740991.4', '9007199254740991'],
  ['1e-130', `0.${'0'.repeat(129)}1`],
  ['-1e-130', `-0.${'0'.repeat(129)}1`],
] as const;

export const numbersOutsideJson = ['1,5', '01', '+1', '.5', '5.', '0x10', 'NaN', 'Infinity', '1_000'];

const TOO_LARGE =
  'StockBalance must be between -9,007,199,254,740,991 and 9,007,199,254,740,991. Larger amounts cannot be stored exactly.';
export const TOO_SMALL =
  'StockBalance is too close to zero: the smallest amount that can be stored is 1e-130. Send 0 if there is no stock.';
const ORDERS =
  'PurchaseOrders must be an array of 1 to 100 purchase orders, or the empty object {} if there are none';

/** All that a log line may say about a refused body: never a value, and never a name that a client chose. */
const NAMES =
  'body|Timestamp|MaterialCodes(\\[\\])?|MaterialCode|StockBalance|StockBalanceUnit|PurchaseOrders(\\[\\])?';
const TYPES = 'missing|string|number|array|strict_object|union|regex|check|min_length|max_length|raw_check';
export const RULE = new RegExp(
  `^(unknown field|JSON|UTF-8|empty|too large|content type|(${NAMES}): (${TYPES}))$`,
);

/** Each order alone. */
export const orderCases = [
  ...accepted('OT1234567', 'OT0000000', 'OT9999999'),
  ...refused(
    'A purchase order must be OT and seven digits, such as OT1234567.',
    ...['', 'OT123456', 'OT12345678', 'ot1234567', 'XOT1234567', 'OT1234567 ', 'OT1234567\n'],
    // Cyrillic letters, and digits of other scripts.
    ...['ОТ1234567', 'OT123456٧', 'OT١234567', 'OT１２３４５６７'],
  ),
  ...refused('A purchase order must be a string: OT and seven digits.', 7, null),
];

export const valueCases = {
  MaterialCode: [
    // Some differ only in letter case or composition.
    ...accepted(
      'a',
      'A',
      'x',
      'aZ09/-,',
      'Сталь-10/А',
      'Болт-М8ŻółćÄßİı螺栓',
      '钢板-5',
      'فولاذ',
      'é',
      'e\u0301',
    ),
    ...accepted('१२३', '/', '-', ',', '\u{20000}', 'constructor'),
    ...accepted('x'.repeat(255), 'x'.repeat(256), 'Ж'.repeat(256), '\u{20000}'.repeat(256), '𐐀'.repeat(256)),
    ...refused(
      'MaterialCode must have 1 to 256 characters: letters of any script, digits, "/", "-" and ",". Spaces and other characters are not allowed.',
      ...[
        '',
        'A B',
        'A.B',
        'A_B',
        'A\n',
        'A\u0000',
        'A\u200B',
        '😀',
        '🔩',
        'A\uFFFD',
        '\ud800',
        'x'.repeat(257),
      ],
    ),
    ...refused('MaterialCode must be a string.', null, 12, {}, []),
    missing('MaterialCode'),
  ],
  StockBalance: [
    ...balances.map(([json]): ValueCase => ({ json })),
    ...refused('StockBalance must be a JSON number, without quotes.', '1.5', '7', '7,5', null, true, {}, [1]),
    ...refused(TOO_LARGE, 2 ** 53, -(2 ** 53), 1e16, 1e308),
    ...['1e400', '1e999', '-1e999'].map((json) => ({ json, refusal: TOO_LARGE })),
    ...refused(TOO_SMALL, 1e-131, 1e-130 * (1 - Number.EPSILON), -5e-324),
    missing('StockBalance'),
  ],
  StockBalanceUnit: [
    ...accepted('kg', 'шт', 'шт.', 'm²', 'm³', 'м³', 'pcs.', ' ', '%'),
    ...accepted('x'.repeat(32), '😀'.repeat(32), '𝔘'.repeat(32)),
    ...refused(
      'StockBalanceUnit must have 1 to 32 characters of valid UTF-8, without control characters.',
      ...['', 'x'.repeat(33), '😀'.repeat(33), 'k\n', 'k\tg', 'k\u001fg', 'kg\u0000', 'k\u0085g', 'kg\u0085'],
      ...['k\udc00', 'm\uFFFD', 'k\uFFFDg'],
    ),
    ...refused('StockBalanceUnit must be a string such as "kg".', null, 1, {}),
    missing('StockBalanceUnit'),
  ],
  PurchaseOrders: [
    ...accepted({}, ['OT0000001'], ['OT0000002', 'OT0000001', 'OT0000002', 'OT0000002']),
    ...accepted(
      Array(100).fill('OT1234567'),
      Array.from({ length: 100 }, (_, n) => `OT${9_999_999 - n}`),
    ),
    ...refused('PurchaseOrders is an empty array. Send the empty object {} if there are none.', []),
    ...refused(`${ORDERS}. This array is longer.`, Array(101).fill('OT1234567')),
    ...refused(`${ORDERS}.`, { 1: 'OT1234567' }, { OT1234567: 1 }, null, 'OT1234567', 1),
    ...orderCases.map((order): ValueCase => ({ ...order, json: `["OT0000001",${order.json}]`, place: '/1' })),
    missing('PurchaseOrders'),
  ],
} satisfies Record<string, ValueCase[]>;

export const NO_INSTANT =
  'Timestamp has the right form, but this date or time does not exist. Check the day of the month, the hour (00 to 23), the minute and the second (00 to 59).';

export const timestampCases = [
  ...accepted('2024-02-29T00:00:00,000Z', '2024-02-29T23:59:59,999Z', '2000-02-29T00:00:00,000Z'),
  ...accepted('0000-01-01T00:00:00,000Z', '0001-01-01T00:00:00,000Z', '0001-01-01T00:00:00,001Z'),
  ...accepted('9999-12-31T23:59:59,999Z'),
  ...refused(
    'Timestamp must have the form YYYY-MM-DDThh:mm:ss,mmmZ: UTC, with a comma and three digits before the Z.',
    ...['2026-03-01T08:15:30.123Z', '2026-03-01T08:15:30Z', '2026-03-01T08:15:30,12Z', '2026-03-01', ''],
    ...['2026-03-01T08:15:30,1234Z', '2026-03-01T08:15:30,123', '2026-03-01 08:15:30,123Z'],
    ...['2026-03-01t08:15:30,123Z', '2026-03-01T08:15:30,123z', '2026-03-01T08:15:30,123+01:00'],
    ...[' 2026-03-01T08:15:30,123Z', 'at 2026-03-01T08:15:30,123Z', '2026-03-01T08:15:30,123Z\n'],
    ...['२०२६-03-01T08:15:30,123Z', '٢026-03-01T08:15:30,123Z'],
  ),
  ...refused(
    NO_INSTANT,
    ...['2026-02-30T08:15:30,123Z', '1900-02-29T08:15:30,123Z', '2026-13-01T08:15:30,123Z'],
    ...['2026-03-00T08:15:30,123Z', '2026-03-01T24:00:00,000Z', '2026-03-01T08:60:30,123Z'],
    '2026-03-01T08:15:60,123Z',
  ),
  ...refused('Timestamp must be a string of the form YYYY-MM-DDThh:mm:ss,mmmZ.', null, 7, {}, [], true),
  missing('Timestamp'),
];

const VALID = { MaterialCode: '"A-1"', StockBalance: '1.5', StockBalanceUnit: '"kg"', PurchaseOrders: '{}' };
const ofFields = (fields: object) =>
  `{${Object.entries(fields).flatMap(([name, json]) => (json === undefined ? [] : `${JSON.stringify(name)}:${json}`))}}`;

/** A valid entry, except perhaps for the value of one field. */
export const entryWith = (field: string, { json }: ValueCase, code = '"A-1"') =>
  ofFields({ ...VALID, MaterialCode: code, [field]: json });
export const batchOfEntries = (...entries: string[]) => `{"MaterialCodes":[${entries}]}`;
export const changeWith = ({ json }: ValueCase) => ofFields({ Timestamp: json });

/** Every case of an entry, with the body of a batch that has only this entry. */
export const entryCases = Object.entries<ValueCase[]>(valueCases).flatMap(([field, cases]) =>
  cases.map((value) => ({ field, value, body: batchOfEntries(entryWith(field, value)) })),
);

type RefusedBody = [body: string, pointer: string, detail: string];
const refusedAt = (pointer: string, detail: string, ...bodies: string[]) =>
  bodies.map((body): RefusedBody => [body, pointer, detail]);
const unknown = (place: string, names: string, bodyWith: (field: string) => string) =>
  ['constructor', '__proto__', 'timestamp', 'stockBalance', '', 'a/b~c'].flatMap((name) =>
    refusedAt(
      `#${place}/${name.replace('~', '~0').replace('a/', 'a~1')}`,
      `This field is unknown. Use only ${names}.`,
      bodyWith(`${JSON.stringify(name)}:1,`),
    ),
  );
const FIELDS = 'MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders';
const [entry, other] = ['"A"', '"B"'].map((code) => entryWith('', {}, code));
const NO_OBJECTS = ['null', '[]', '"x"', '7', 'true', `[{"MaterialCodes":[${entry}]}]`];

/** Whole bodies, each with its only error. */
export const refusedBodies = {
  changes: [
    ...unknown('', 'Timestamp', (field) => `{${field}"Timestamp":"2026-03-01T08:15:30,250Z"}`),
    ...refusedAt('#', 'The body must be a JSON object with exactly one field: Timestamp.', ...NO_OBJECTS),
  ],
  'material-stock-balance': [
    ...unknown('', 'MaterialCodes', (field) => `{${field}"MaterialCodes":[${entry}]}`),
    ...unknown('/MaterialCodes/0', FIELDS, (field) => batchOfEntries(`{${field}${entry?.slice(1)}`)),
    ...refusedAt('#', 'The body must be a JSON object with exactly one field: MaterialCodes.', ...NO_OBJECTS),
    ...refusedAt('#/MaterialCodes', 'The field MaterialCodes is missing.', '{}'),
    ...refusedAt('#/MaterialCodes', 'MaterialCodes is empty. Send at least one entry.', batchOfEntries()),
    ...refusedAt(
      '#/MaterialCodes',
      'MaterialCodes must be an array of entries, one per material.',
      ...['{"MaterialCodes":{}}', `{"MaterialCodes":{"A":${entry}}}`],
    ),
    ...refusedAt(
      '#/MaterialCodes/0',
      `An entry must be a JSON object with ${FIELDS}.`,
      ...['null', '[]', '"A"', '1'].map((json) => batchOfEntries(json)),
    ),
    ...refusedAt(
      '#/MaterialCodes/2/MaterialCode',
      'This MaterialCode is already in entry 0 (counted from 0). Send one entry per material.',
      `{"MaterialCodes":[${entry},${other},${entry}]}`,
    ),
  ],
};
