import { visit } from 'jsonc-parser';
import { locateJsonError } from '../../../shared/http/json.ts';
import type { AttributeValue } from '../../../shared/storage/attribute-json.ts';
import { type Message, message } from '../../text/message.ts';
import { quote } from '../../text/quote.ts';
import { readNumber } from './read-number.ts';

/** The object or array around a value. In an object, `name` is the name that was read last. */
export type Container = {
  name: string | undefined;
  properties: Map<string, AttributeValue>;
  items: AttributeValue[];
  isArray: boolean;
};

type JsonReader = {
  addIssue(detail: Message, within: readonly Container[]): void;
  /** Called for each complete value. Returns true if the container should not keep the value. */
  onValue?: (value: AttributeValue, within: readonly Container[]) => boolean;
  deepest: number;
};

/** A little less than DynamoDB's limit of 32 levels. */
export const DEEPEST_VALUE = 30;

class EndOfReading extends Error {}

/**
 * Reads JSON as DynamoDB's value, with every digit. Undefined if the reading ended early. Refuses deep nesting, which would
 * overflow the stack.
 */
export const readJson = (text: string, { addIssue, onValue, deepest }: JsonReader) => {
  const within: Container[] = [];
  let complete: AttributeValue | undefined;

  const finish = (value: AttributeValue) => {
    const parent = within.at(-1);
    if (onValue?.(value, within)) return;
    if (!parent) complete = value;
    else if (parent.isArray) parent.items.push(value);
    else if (parent.name !== undefined) parent.properties.set(parent.name, value);
  };

  const open = (isArray: boolean) => () => {
    within.push({ name: undefined, properties: new Map(), items: [], isArray });
    if (within.length <= deepest) return;
    addIssue(`it is nested deeper than ${DEEPEST_VALUE} levels`, within);
    throw new EndOfReading();
  };

  const close = () => {
    const closed = within.pop();
    if (!closed) return;
    const { isArray, items, properties } = closed;
    finish(isArray ? { L: items } : { M: Object.fromEntries(properties) });
  };

  const onName = (name: string) => {
    const parent = within.at(-1);
    if (!parent) return;
    const isTwice = parent.properties.has(name);
    const detail = isTwice ? `the name ${quote(name)} is twice in one object` : nameIssue(name);
    if (detail) addIssue(detail, within);
    parent.name = name;
    // Shows that the name was read, even if its value is not kept.
    parent.properties.set(name, { NULL: true });
  };

  const onLiteral = (value: unknown, offset: number, length: number) => {
    const result = readLiteral(value, text.slice(offset, offset + length));
    if ('issue' in result) addIssue(result.issue, within);
    finish('issue' in result ? { NULL: true } : result);
  };

  const onError = () => {
    addIssue(`this is not JSON: ${locateJsonError(text)}`, []);
    throw new EndOfReading();
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
        onError,
      },
      { disallowComments: true, allowTrailingComma: false },
    );
    return complete;
  } catch (error) {
    if (!(error instanceof EndOfReading)) throw error;
    return undefined;
  }
};

/** DynamoDB refuses such a text, so a write would end early. */
export const HALF_PAIR = 'the text contains half of a surrogate pair';

const readLiteral = (value: unknown, source: string): AttributeValue | { issue: Message } => {
  if (typeof value === 'number') {
    const number = readNumber(source);
    return 'digits' in number
      ? { N: number.digits }
      : { issue: message`${quote(source)} is ${number.issue}` };
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

export const readJsonValue = (text: string): { value: AttributeValue } | { issues: Message[] } => {
  const issues: Message[] = [];
  const addIssue = (detail: Message) => issues.push(detail);
  const value = readJson(text, { addIssue, deepest: DEEPEST_VALUE });
  return value && issues.length === 0 ? { value } : { issues };
};
