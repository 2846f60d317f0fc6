import type { AttributeValue, Item } from '../../../shared/storage/attribute-json.ts';
import { attributeOf, isWritable } from '../values/compare-values.ts';

type Part = { text: string; values?: Record<string, AttributeValue> };

/** The condition that the row exists, and that these attributes are as in `before`. */
export const unchangedRow = (key: string, names: readonly string[], before: Item) => {
  const parts = names.map((name, index): Part => {
    const value = attributeOf(before, name);
    // The SDK loses the value of an attribute `__proto__`.
    if (value && isWritable(value)) {
      return { text: `#n${index} = :was${index}`, values: { [`:was${index}`]: value } };
    }
    return { text: `attribute_${Object.hasOwn(before, name) ? '' : 'not_'}exists(#n${index})` };
  });
  return {
    ConditionExpression: ['attribute_exists(#key)', ...parts.map(({ text }) => text)].join(' AND '),
    ExpressionAttributeNames: {
      '#key': key,
      ...Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
    },
    ...valuesOf(parts),
  };
};

/** Sets or removes these attributes of an unchanged row. */
export const updateOfRow = (key: string, names: readonly string[], before: Item, after: Item) => {
  const condition = unchangedRow(key, names, before);
  const sets: Part[] = [];
  const removals: Part[] = [];
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

const clause = (verb: string, parts: readonly Part[]) =>
  parts.length > 0 ? `${verb} ${parts.map(({ text }) => text).join(', ')}` : '';

/** DynamoDB refuses an empty map. */
const valuesOf = (parts: readonly Part[]): { ExpressionAttributeValues?: Record<string, AttributeValue> } => {
  const values = Object.fromEntries(parts.flatMap(({ values = {} }) => Object.entries(values)));
  return Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {};
};
