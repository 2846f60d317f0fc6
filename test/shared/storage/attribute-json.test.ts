import { describe, expect, it } from 'vitest';
import { type AttributeValue, toJson, toListRow } from '../../../shared/storage/attribute-json.ts';

/** Attributes that no engine returns today. The tests of the lists cover the others. */
describe('toJson', () => {
  it.each<[string, AttributeValue | undefined, string]>([
    ['a missing attribute', undefined, 'null'],
    ['null', { NULL: true }, 'null'],
    ['an unknown type', { $unknown: ['X', 1] }, 'null'],
    ['a number that JSON cannot express', { N: 'Infinity' }, '"Infinity"'],
    ['a map', { M: { b: { N: '2' }, a: { N: '1' }, B: { N: '3' } } }, '{"B":3,"a":1,"b":2}'],
  ])('converts %s to JSON', (_, attribute, json) => {
    expect(JSON.stringify(toJson(attribute))).toBe(json);
  });
});

describe('toListRow', () => {
  it.each(['__proto__', 'constructor', 'toString'])('keeps an attribute named %s with any value', (name) => {
    const nested = Object.fromEntries([[name, { M: { b: { S: '1' } } }]]);
    const row = toListRow('Code', { ...nested, Code: { S: 'x' }, z: { M: nested } });
    expect(JSON.stringify(row)).toBe(`{"Code":"x","${name}":{"b":"1"},"z":{"${name}":{"b":"1"}}}`);
  });
});
