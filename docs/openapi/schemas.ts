import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import {
  MAX_BALANCE,
  MAX_LISTED_ERRORS,
  MAX_MATERIAL_CODE_LENGTH,
  MAX_UNIT_LENGTH,
} from '../../shared/limits.ts';
import { Change, Timestamp } from '../../shared/schemas/change.ts';
import {
  ChangeResponse,
  ErrorEntry,
  ProblemResponse,
  SnapshotResponse,
} from '../../shared/schemas/responses.ts';
import {
  MaterialCode,
  PurchaseOrder,
  PurchaseOrders,
  StockBalance,
  StockBalanceBatch,
  StockBalanceEntry,
  StockBalanceUnit,
} from '../../shared/schemas/stock-balance.ts';
import { type ListName, listNames, tables } from '../../shared/tables.ts';
import { refTo, toComponents } from './conversion.ts';

/** Excludes only ASCII characters: `\p` and `\u` differ between languages, and some languages read a text byte by byte. */
const withoutAscii = (excluded: string, maxLength: number) => ({
  pattern: `^[^${excluded}]+$`,
  minLength: 1,
  maxLength,
});

/** Keywords for a schema. The texts of the schema's rules are added to the description. */
type About = Omit<JsonSchema, 'description'> & { description: string };
type Definitions = Record<string, { schema: v.GenericSchema } & About>;

/** The response with a list, and a row of the list: the key and any attributes that an admin stored. */
const listDefinitions = (name: ListName): Definitions => {
  const { partitionKey, list } = tables[name];
  const row = v.looseObject({ [partitionKey]: v.string() });
  return {
    [`${name}Response`]: {
      schema: v.strictObject({ [name]: v.array(row) }),
      description: `All rows, sorted by ${partitionKey}. An empty list is [].`,
    },
    [`${partitionKey}Row`]: {
      schema: row,
      additionalProperties: {},
      description: `One of the ${list.title}. The other fields are attributes that an admin stored, sorted by name. A number can have up to 38 digits, which is more than a double holds.`,
    },
  };
};

const definitions: Definitions = {
  Change: {
    schema: Change,
    description: 'Says that something changed, with the time of the change. No other field is accepted.',
  },
  Timestamp: {
    schema: Timestamp,
    description: 'The time of the change. The service stores it exactly as sent.',
    examples: ['2026-03-01T08:15:30,250Z'],
  },
  StockBalanceBatch: {
    schema: StockBalanceBatch,
    description:
      'One entry for each material. The service stores all entries or none. No other field is accepted.',
  },
  StockBalanceEntry: {
    schema: StockBalanceEntry,
    description: 'All four fields are required. No other field is accepted.',
  },
  MaterialCode: {
    schema: MaterialCode,
    description: 'The code of the material. Letter case and Unicode form count: codes are compared exactly.',
    ...withoutAscii(String.raw`\x00-\x2B.\x3A-\x40\x5B-\x60\x7B-\x7F`, MAX_MATERIAL_CODE_LENGTH),
    examples: ['ABC-1', 'Сталь-10/А'],
  },
  StockBalance: {
    schema: StockBalance,
    description:
      'Read as a double: up to 15 digits are stored exactly. Negative values and 0 are accepted. -0 is stored as 0.',
    // Without a format, oapi-codegen makes a float of 32 bits.
    format: 'double',
    minimum: -MAX_BALANCE,
    maximum: MAX_BALANCE,
    examples: [-12.125, 0, 1234.567],
  },
  StockBalanceUnit: {
    schema: StockBalanceUnit,
    description: 'The unit of the balance.',
    ...withoutAscii(String.raw`\x00-\x1F\x7F`, MAX_UNIT_LENGTH),
    examples: ['kg'],
  },
  PurchaseOrders: {
    schema: PurchaseOrders,
    description:
      'The purchase orders of the material. The service stores them as sent, also repeated orders.',
  },
  PurchaseOrder: {
    schema: PurchaseOrder,
    description: 'The identifier of a purchase order.',
    examples: ['OT1234567'],
  },
  ChangeResponse: {
    schema: ChangeResponse,
    description: 'The change is stored. Timestamp is the same as in the request.',
  },
  ...Object.fromEntries(listNames.map(listDefinitions).flatMap(Object.entries<Definitions[string]>)),
  SnapshotResponse: {
    schema: SnapshotResponse,
    description:
      'The whole batch is stored as a snapshot that never changes. Snapshots sorted by SnapshotId are in the order of their receipt.',
  },
  Problem: {
    schema: ProblemResponse,
    description: `An error, in the form of RFC 9457. For a refused body, errorCount is the number of errors and errors lists the first ${MAX_LISTED_ERRORS}. The operator finds the request in the logs by requestId. Some problems, for example after a crash, have no title and no status. Read the status line instead.`,
  },
  ErrorEntry: {
    schema: ErrorEntry,
    description:
      'One error in a body. detail says what to send instead. pointer is the place of the error: a JSON Pointer (RFC 6901) as a URI fragment, with indexes from 0.',
  },
};

const converted = toComponents(
  Object.fromEntries(Object.entries(definitions).map(([name, { schema }]) => [name, schema])),
);

export const schemas: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(definitions).map(([name, { schema: _, ...about }]) => {
    const component = converted[name];
    const description = [about.description, component?.description].filter(Boolean).join(' ');
    return [name, { ...component, ...about, description }];
  }),
);

export const schemaRef = (name: string) => {
  if (!(name in schemas)) throw new Error(`The API document has no schema ${name}.`);
  return { $ref: refTo(name) };
};

/** A schema together with all schemas that it refers to, so that no other file is needed. */
export const standaloneSchema = (name: string, title: string): JsonSchema => {
  const names = new Set([name]);
  // The loop also visits the names that it adds.
  for (const found of names) {
    const references = JSON.stringify(schemas[found]).matchAll(new RegExp(`${refTo('')}(\\w+)`, 'g'));
    for (const [, referenced = ''] of references) names.add(referenced);
  }
  const $defs = Object.fromEntries([...names].map((found) => [found, schemas[found]]));
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...schemaRef(name),
    $defs,
  };
  return JSON.parse(JSON.stringify(schema).replaceAll(refTo(''), '#/$defs/'));
};
