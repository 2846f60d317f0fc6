import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { ChangeAnswer, FaultAnswer, ProblemAnswer, SnapshotAnswer } from '../../shared/schemas/answers.ts';
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
import { type CatalogName, catalogNames, tables } from '../../shared/tables.ts';
import { refTo, toComponents } from './conversion.ts';

/** Keywords for a schema. The texts of its rules are added to the description. */
type About = Omit<JsonSchema, 'description'> & { description: string };
type Definitions = Record<string, { schema: v.GenericSchema } & About>;

/** The answer of a list, and its row: the key and any attributes that an admin stored. */
const listDefinitions = (name: CatalogName): Definitions => {
  const { partitionKey, catalog } = tables[name];
  const row = v.looseObject({ [partitionKey]: v.string() });
  return {
    [`${name}Answer`]: {
      schema: v.strictObject({ [name]: v.array(row) }),
      description: `Every row, sorted by ${partitionKey}; an empty list is [].`,
    },
    [`${partitionKey}Row`]: {
      schema: row,
      description: `One of the ${catalog.title}. The other fields are attributes that an admin stored, sorted by name. A number may have up to 38 digits, more than a double holds.`,
    },
  };
};

const definitions: Definitions = {
  Change: {
    schema: Change,
    description: 'A report that something changed, with its time. No other field is accepted.',
  },
  Timestamp: {
    schema: Timestamp,
    description: 'Kept exactly as sent.',
    examples: ['2026-03-01T08:15:30,250Z'],
  },
  StockBalanceBatch: {
    schema: StockBalanceBatch,
    description: 'One entry per material, all or nothing. No other field is accepted.',
  },
  StockBalanceEntry: {
    schema: StockBalanceEntry,
    description: 'All four fields are required, and no other is accepted.',
  },
  MaterialCode: {
    schema: MaterialCode,
    description: 'Compared exactly, with letter case and Unicode form.',
    examples: ['ABC-1', 'Сталь-10/А'],
  },
  StockBalance: {
    schema: StockBalance,
    description:
      'Read as a double; up to 15 digits are kept exactly. Negative values and 0 are accepted, and -0 is kept as 0.',
    minimum: -MAX_BALANCE,
    maximum: MAX_BALANCE,
    examples: [-12.125, 0, 1234.567],
  },
  StockBalanceUnit: {
    schema: StockBalanceUnit,
    description: 'The unit of the balance.',
    examples: ['kg'],
  },
  PurchaseOrders: {
    schema: PurchaseOrders,
    description: 'The purchase orders of the material. Their order and repeats are kept.',
  },
  PurchaseOrder: {
    schema: PurchaseOrder,
    description: 'The identifier of a purchase order.',
    examples: ['OT1234567'],
  },
  ChangeAnswer: {
    schema: ChangeAnswer,
    description: 'The change is kept. The Timestamp is the one that was sent.',
  },
  ...Object.fromEntries(catalogNames.map(listDefinitions).flatMap(Object.entries<Definitions[string]>)),
  SnapshotAnswer: {
    schema: SnapshotAnswer,
    description:
      'The whole batch is kept, as a snapshot that never changes. SnapshotId sorts by time of receipt.',
  },
  Problem: {
    schema: ProblemAnswer,
    description: `An error, in the form of RFC 9457. A refused body has errorCount, the number of its faults, and errors, the first ${MAX_LISTED_FAULTS} of them. The operator finds the request by its requestId. An answer for several statuses, such as a crash, has no title and no status; look at the status line.`,
  },
  Fault: {
    schema: FaultAnswer,
    description:
      'One fault of a body: what to send instead, and its place as a JSON Pointer (RFC 6901) in the form of a URI fragment, counted from 0.',
  },
};

const CODES_ARE_UNIQUE =
  'Also refused, at its place: a MaterialCode that is in the batch already, compared exactly.';

const converted = toComponents(
  Object.fromEntries(Object.entries(definitions).map(([name, { schema }]) => [name, schema])),
  { [refTo('StockBalanceEntry')]: CODES_ARE_UNIQUE },
);

const addDescription = ([name, { schema: _, ...about }]: [string, Definitions[string]]) => {
  const component = converted[name];
  const description = [about.description, component?.description].filter(Boolean).join(' ');
  return [name, { ...component, ...about, description }];
};

export const schemas: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(definitions).map(addDescription),
);

export const schemaRef = (name: string) => {
  if (!(name in schemas)) throw new Error(`The API document has no schema ${name}.`);
  return { $ref: refTo(name) };
};
