import { visit } from 'jsonc-parser';
import { locateJsonError } from '../../../shared/http/json.ts';
import type { AttributeValue } from '../../../shared/storage/attribute-json.ts';
import { type Message, told } from '../../text/message.ts';
import { quote } from '../../text/quote.ts';
import { readNumber } from './read-number.ts';

/** The object or array around a value. In an object, `name` is the name that was read last. */
export type Container = {
  line: number;
  name: string | undefined;
  properties: Map<string, AttributeValue>;
  items: AttributeValue[];
  isArray: boolean;
};

type JsonReader = {
  addIssue(line: number, detail: Message, within: readonly Container[]): void;
  /** Called for each complete value. Returns true if the container should not keep the value. */
  onValue(value: AttributeValue, line: number, within: readonly Container[]): boolean;
  deepest: number;
};

/** A little less than DynamoDB's limit of 32 levels. */
export const DEEPEST_VALUE = 30;

/** Ends the reading early, after an issue. */
class EndOfReading extends Error {}

/** Reads JSON as DynamoDB's values, with every digit. Refuses deep nesting, which would overflow the stack. */
export const readJson = (text: string, { addIssue, onValue, deepest }: JsonReader) => {
  const within: Container[] = [];

  const finish = (value: AttributeValue, line: number) => {
    const parent = within.at(-1);
    if (onValue(value, line, within) || !parent) return;
    if (parent.isArray) parent.items.push(value);
    else if (parent.name !== undefined) parent.properties.set(parent.name, value);
  };

  const open = (isArray: boolean) => (_offset: number, _length: number, startLine: number) => {
    const line = startLine + 1;
    within.push({ line, name: undefined, properties: new Map(), items: [], isArray });
    if (within.length <= deepest) return;
    addIssue(line, `it is nested deeper than ${DEEPEST_VALUE} levels`, within);
    throw new EndOfReading();
  };

  const close = () => {
    const closed = within.pop();
    if (!closed) return;
    const { line, isArray, items, properties } = closed;
    finish(isArray ? { L: items } : { M: Object.fromEntries(properties) }, line);
  };

  const onName = (name: string, _offset: number, _length: number, startLine: number) => {
    const parent = within.at(-1);
    if (!parent) return;
    const detail = parent.properties.has(name)
      ? `the name ${quote(name)} is twice in one object`
      : nameIssue(name);
    if (detail) addIssue(startLine + 1, detail, within);
    parent.name = name;
    // Shows that the name was read, even if its value is not kept.
    parent.properties.set(name, { NULL: true });
  };

  const onLiteral = (value: unknown, offset: number, length: number, startLine: number) => {
    const line = startLine + 1;
    const result = readLiteral(value, text.slice(offset, offset + length));
    if ('issue' in result) addIssue(line, result.issue, within);
    finish('issue' in result ? { NULL: true } : result, line);
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
          addIssue(startLine + 1, `this is not JSON: ${locateJsonError(text)}`, []);
          throw new EndOfReading();
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    if (!(error instanceof EndOfReading)) throw error;
  }
};

/** DynamoDB refuses such a text, so a write would end early. */
export const HALF_PAIR = 'the text contains half of a surrogate pair';

const readLiteral = (value: unknown, source: string): AttributeValue | { issue: Message } => {
  if (typeof value === 'number') {
    const number = readNumber(source);
    return 'digits' in number ? { N: number.digits } : { issue: told`${quote(source)} is ${number.issue}` };
  }
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value !== 'string') return { NULL: true };
  return value.isWellFormed() ? { S: value } : { issue: HALF_PAIR };
};

/** The SDK loses the value of an attribute with this name, so nothing can write it. */
export const UNWRITABLE_NAME = '__proto__';

export const nameIssue = (name: string) => {
  if (name.trim() === '') return 'the name of an attribute is empty';
  if (name === UNWRITABLE_NAME)
    return `an attribute cannot have the name ${UNWRITABLE_NAME}; choose another name`;
  return name.isWellFormed() ? undefined : 'a name contains half of a surrogate pair';
};

/** Reads a single value, such as the JSON of a cell. */
export const readJsonValue = (text: string): { value: AttributeValue } | { issues: Message[] } => {
  const issues: Message[] = [];
  let value: AttributeValue | undefined;
  readJson(text, {
    addIssue: (_line, detail) => issues.push(detail),
    onValue: (complete, _line, within) => {
      if (within.length === 0) value = complete;
      return within.length === 0;
    },
    deepest: DEEPEST_VALUE,
  });
  return value && issues.length === 0 ? { value } : { issues };
};
