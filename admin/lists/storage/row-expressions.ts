import type { AttributeValue, Item } from '../../../shared/storage/attribute-json.ts';
import { attributeOf, isWritable } from '../values/compare-values.ts';

type Term = { text: string; values?: Record<string, AttributeValue> };

/** The condition that the row exists, and that these attributes are as in `before`. */
export const unchangedRow = (key: string, names: readonly string[], before: Item) => {
  const terms = names.map((name, index): Term => {
    const value = attributeOf(before, name);
    // The SDK loses the value of an attribute `__proto__`.
    if (value && isWritable(value)) {
      return { text: `#n${index} = :was${index}`, values: { [`:was${index}`]: value } };
    }
    return { text: `attribute_${Object.hasOwn(before, name) ? '' : 'not_'}exists(#n${index})` };
  });
  return {
    ConditionExpression: ['attribute_exists(#key)', ...terms.map(({ text }) => text)].join(' AND '),
    ExpressionAttributeNames: {
      '#key': key,
      ...Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
    },
    ...valuesOf(terms),
  };
};

/** Sets or removes these attributes, if all of them are as in `before`. */
export const updateOfRow = (key: string, names: readonly string[], before: Item, after: Item) => {
  const condition = unchangedRow(key, names, before);
  const sets: Term[] = [];
  const removals: Term[] = [];
  for (const [index, name] of names.entries()) {
    const value = attributeOf(after, name);
    if (value) sets.push({ text: `#n${index} = :is${index}`, values: { [`:is${index}`]: value } });
    else removals.push({ text: `#n${index}` });
  }
  return {
    ...condition,
    UpdateExpression: `${clause('SET', sets)} ${clause('REMOVE', removals)}`,
    ...valuesOf([{ text: '', values: condition.ExpressionAttributeValues ?? {} }, ...sets]),
  };
};

export const absentRow = (key: string) => ({
  ConditionExpression: 'attribute_not_exists(#key)',
  ExpressionAttributeNames: { '#key': key },
});

const clause = (verb: string, terms: readonly Term[]) =>
  terms.length > 0 ? `${verb} ${terms.map(({ text }) => text).join(', ')}` : '';

/** DynamoDB refuses an empty map of values. */
const valuesOf = (terms: readonly Term[]): { ExpressionAttributeValues?: Record<string, AttributeValue> } => {
  const values = Object.fromEntries(terms.flatMap(({ values = {} }) => Object.entries(values)));
  return Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {};
};
