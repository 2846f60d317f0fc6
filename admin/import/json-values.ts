import { visit } from 'jsonc-parser';
import { locateJsonError } from '../../shared/schemas/json.ts';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { toDecimal } from './decimal.ts';
import { quote } from './faults.ts';

/** What a value stands in: an object, whose present name is told, or an array. */
export type Container = {
  line: number;
  name: string | undefined;
  entries: Map<string, AttributeValue>;
  items: AttributeValue[];
  isArray: boolean;
};

type JsonReader = {
  /** Within nothing, it is one of the whole text. */
  fault(line: number, detail: string, within: readonly Container[]): void;
  /** A value is whole. One that is taken is not kept for what it stands in. */
  take(value: AttributeValue, line: number, within: readonly Container[]): boolean;
  deepest: number;
};

/** DynamoDB nests 32 levels. */
export const DEEPEST_VALUE = 30;

/** Ends a visit early; what is wrong has been told. */
class Ended extends Error {}

/** Reads JSON as DynamoDB's values, each number to its last digit; deep nesting ends it before the stack does. */
export const readJson = (text: string, { fault, take, deepest }: JsonReader) => {
  const within: Container[] = [];

  const finish = (value: AttributeValue, line: number) => {
    const parent = within.at(-1);
    if (take(value, line, within) || !parent) return;
    if (parent.isArray) parent.items.push(value);
    else if (parent.name !== undefined) parent.entries.set(parent.name, value);
  };

  const open = (isArray: boolean) => (_offset: number, _length: number, startLine: number) => {
    const line = startLine + 1;
    within.push({ line, name: undefined, entries: new Map(), items: [], isArray });
    if (within.length <= deepest) return;
    fault(line, `it is nested deeper than the ${DEEPEST_VALUE} levels that are taken`, within);
    throw new Ended();
  };

  const close = () => {
    const closed = within.pop();
    if (!closed) return;
    const { line, isArray, items, entries } = closed;
    finish(isArray ? { L: items } : { M: Object.fromEntries(entries) }, line);
  };

  const onName = (name: string, _offset: number, _length: number, startLine: number) => {
    const parent = within.at(-1);
    if (!parent) return;
    const detail = parent.entries.has(name)
      ? `the name ${quote(name)} stands twice in one object`
      : nameFault(name);
    if (detail) fault(startLine + 1, detail, within);
    parent.name = name;
    // A value that is taken or wrong has had its name all the same.
    parent.entries.set(name, { NULL: true });
  };

  const onLiteral = (value: unknown, offset: number, length: number, startLine: number) => {
    const line = startLine + 1;
    const read = literal(value, text.slice(offset, offset + length));
    if ('fault' in read) fault(line, read.fault, within);
    finish('fault' in read ? { NULL: true } : read, line);
  };

  try {
    visit(
      text,
      {
        onObjectBegin: open(false),
        onObjectEnd: close,
        onArrayBegin: open(true),
        onArrayEnd: close,
        onObjectProperty: onName,
        onLiteralValue: onLiteral,
        onError: (_error, _offset, _length, startLine) => {
          fault(startLine + 1, `this is no JSON: ${locateJsonError(text)}`, []);
          throw new Ended();
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  }
};

type Literal = AttributeValue | { fault: string };

const literal = (value: unknown, source: string): Literal => {
  if (typeof value === 'number') {
    const decimal = toDecimal(source);
    return 'digits' in decimal ? { N: decimal.digits } : { fault: `${quote(source)} is ${decimal.fault}` };
  }
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value !== 'string') return { NULL: true };
  return value.isWellFormed() ? { S: value } : { fault: 'the text holds half of a surrogate pair' };
};

/** Neither the SDK nor JavaScript's own objects keep an attribute of this name. */
export const UNCARRIED = '__proto__';

/** Of an attribute at any depth. */
export const nameFault = (name: string) => {
  if (name.trim() === '') return 'the name of an attribute is empty';
  if (name === UNCARRIED) return `an attribute named ${UNCARRIED} cannot be carried; choose another name`;
  return name.isWellFormed() ? undefined : 'a name holds half of a surrogate pair';
};

/** A single value, such as a cell's. */
export const readJsonValue = (text: string): { value: AttributeValue } | { faults: string[] } => {
  const faults: string[] = [];
  let value: AttributeValue | undefined;
  readJson(text, {
    fault: (_line, detail) => faults.push(detail),
    take: (whole, _line, within) => {
      if (within.length === 0) value = whole;
      return within.length === 0;
    },
    deepest: DEEPEST_VALUE,
  });
  return value && faults.length === 0 ? { value } : { faults };
};
