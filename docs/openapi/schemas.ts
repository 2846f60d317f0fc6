import type { JsonSchema } from '@valibot/to-json-schema';
import {
  ChangeAnswer,
  FaultAnswer,
  MaterialCodeRow,
  MaterialCodesAnswer,
  ProblemAnswer,
  PurchaseOrderRow,
  PurchaseOrdersAnswer,
  SnapshotAnswer,
} from '../../shared/schemas/answers.ts';
import { Change, Timestamp } from '../../shared/schemas/change.ts';
import { MAX_BALANCE, MAX_LISTED_FAULTS } from '../../shared/schemas/limits.ts';
import {
  MaterialCode,
  PurchaseOrder,
  PurchaseOrders,
  StockBalance,
  StockBalanceBatch,
  StockBalanceEntry,
  StockBalanceUnit,
} from '../../shared/schemas/stock-balance.ts';
import { refTo, toComponents } from './conversion.ts';

const definitions = {
  Change,
  Timestamp,
  StockBalanceBatch,
  StockBalanceEntry,
  MaterialCode,
  StockBalance,
  StockBalanceUnit,
  PurchaseOrders,
  PurchaseOrder,
  ChangeAnswer,
  MaterialCodesAnswer,
  MaterialCodeRow,
  PurchaseOrdersAnswer,
  PurchaseOrderRow,
  SnapshotAnswer,
  Problem: ProblemAnswer,
  Fault: FaultAnswer,
};

/** What the rules of a schema do not say by themselves; their words come behind. */
type About = Omit<JsonSchema, 'description'> & { description: string };

const FURTHER_ATTRIBUTES =
  'The other fields are whatever an admin stored with it, sorted by name; a number may have up to 38 digits, more than a double holds.';

const about: Record<keyof typeof definitions, About> = {
  Change: { description: 'That something changed, and when. No other field is taken.' },
  Timestamp: { description: 'Kept exactly as sent.', examples: ['2026-03-01T08:15:30,250Z'] },
  StockBalanceBatch: { description: 'One entry per material, all or nothing. No other field is taken.' },
  StockBalanceEntry: { description: 'All four fields are required, and no other is taken.' },
  MaterialCode: {
    description: 'Compared exactly: neither letter case nor Unicode form is evened out.',
    examples: ['ABC-1', 'Сталь-10/А'],
  },
  StockBalance: {
    description:
      'Read as a double; up to 15 digits are kept exactly. Negative and 0 are taken, and -0 is kept as 0.',
    minimum: -MAX_BALANCE,
    maximum: MAX_BALANCE,
    examples: [-12.125, 0, 1234.567],
  },
  StockBalanceUnit: { description: 'The unit of the balance.', examples: ['kg'] },
  PurchaseOrders: {
    description: 'The purchase orders that the material is linked to; their order and repeats are kept.',
  },
  PurchaseOrder: { description: 'The identifier of a purchase order.', examples: ['OT1234567'] },
  ChangeAnswer: { description: 'The change is kept; the Timestamp is the one that was sent.' },
  MaterialCodesAnswer: { description: 'Every row, sorted by MaterialCode; an empty list is [].' },
  MaterialCodeRow: { description: `A material code. ${FURTHER_ATTRIBUTES}` },
  PurchaseOrdersAnswer: { description: 'Every row, sorted by PurchaseOrder; an empty list is [].' },
  PurchaseOrderRow: { description: `A purchase order. ${FURTHER_ATTRIBUTES}` },
  SnapshotAnswer: {
    description:
      'The whole batch is kept, as a snapshot that nothing alters later. SnapshotId sorts by time of receipt.',
  },
  Problem: {
    description: `What is wrong, after RFC 9457. A refused body has errorCount, the number of its faults, and errors, the first ${MAX_LISTED_FAULTS} of them. requestId is what the operator finds the request by.`,
  },
  Fault: {
    description:
      'One fault of a body: what to send instead, and where it stands, as a JSON Pointer (RFC 6901) in the form of a URI fragment, counted from 0.',
  },
};

const CODES_ARE_UNIQUE =
  'Also refused, at its place: a MaterialCode that stands in the batch already, compared exactly.';

const converted = toComponents(definitions, { [refTo('StockBalanceEntry')]: CODES_ARE_UNIQUE });

const withWords = ([name, more]: [string, About]) => {
  const schema = converted[name];
  const description = [more.description, schema?.description].filter(Boolean).join(' ');
  return [name, { ...schema, ...more, description }];
};

/** The platform's own words, where the service is not asked. */
const platformRefusal: JsonSchema = {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
  description: 'The answer of the platform to a request that is larger than it takes.',
};

export const schemas: Record<string, JsonSchema> = {
  ...Object.fromEntries(Object.entries(about).map(withWords)),
  PlatformRefusal: platformRefusal,
};

export const schemaRef = (name: string) => {
  if (!(name in schemas)) throw new Error(`The API document has no schema ${name}.`);
  return { $ref: refTo(name) };
};
