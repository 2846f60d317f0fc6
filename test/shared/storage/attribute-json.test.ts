import { describe, expect, it } from 'vitest';
import { type AttributeValue, toCatalogRow, toJson } from '../../../shared/storage/attribute-json.ts';

/** The list tests cover attributes that the engine returns. These are attributes that no engine returns today. */
describe('an attribute', () => {
  it.each<[string, AttributeValue | undefined, string]>([
    ['that is not there', undefined, 'null'],
    ['that is null', { NULL: true }, 'null'],
    ['of a type of the future', { $unknown: ['X', 1] }, 'null'],
    ['that is a number which JSON does not know', { N: 'Infinity' }, '"Infinity"'],
    ['that is an object', { M: { b: { N: '2' }, a: { N: '1' }, B: { N: '3' } } }, '{"B":3,"a":1,"b":2}'],
  ])('%s comes out as JSON', (_, attribute, json) => {
    expect(JSON.stringify(toJson(attribute))).toBe(json);
  });
});

describe('a row', () => {
  it('has its key first, then the other attributes by name', () => {
    const row = toCatalogRow('Code', { b: { S: '2' }, Code: { S: 'x' }, a: { S: '1' }, Z: { S: '0' } });
    expect(JSON.stringify(row)).toBe('{"Code":"x","Z":"0","a":"1","b":"2"}');
  });

  it.each(['__proto__', 'constructor', 'toString'])('keeps an attribute %s, whatever it holds', (name) => {
    const nested = Object.fromEntries([[name, { M: { b: { S: '1' } } }]]);
    const row = toCatalogRow('Code', { ...nested, Code: { S: 'x' }, z: { M: nested } });
    expect(JSON.stringify(row)).toBe(`{"Code":"x","${name}":{"b":"1"},"z":{"${name}":{"b":"1"}}}`);
  });
});
