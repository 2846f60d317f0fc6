import type { Item } from '../../../shared/storage/attribute-json.ts';
import { attributeOf, isWritable } from '../values/compare-values.ts';

/** The condition that the row exists, and that these attributes are as in `before`. */
export const unchangedRow = (key: string, names: readonly string[], before: Item) => {
  const values: Item = {};
  const terms = names.map((name, index) => {
    const value = attributeOf(before, name);
    // The SDK loses the value of an attribute `__proto__`.
    if (!value || !isWritable(value))
      return `attribute_${Object.hasOwn(before, name) ? '' : 'not_'}exists(#n${index})`;
    values[`:was${index}`] = value;
    return `#n${index} = :was${index}`;
  });
  return {
    ConditionExpression: ['attribute_exists(#key)', ...terms].join(' AND '),
    ExpressionAttributeNames: {
      '#key': key,
      ...Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
    },
    ...givenValues(values),
  };
};

/** Sets or removes these attributes, if all of them are as in `before`. */
export const updateOfRow = (key: string, names: readonly string[], before: Item, after: Item) => {
  const condition = unchangedRow(key, names, before);
  const values: Item = { ...condition.ExpressionAttributeValues };
  const sets: string[] = [];
  const removals: string[] = [];
  for (const [index, name] of names.entries()) {
    const value = attributeOf(after, name);
    if (value) {
      sets.push(`#n${index} = :is${index}`);
      values[`:is${index}`] = value;
    } else removals.push(`#n${index}`);
  }
  const UpdateExpression = `${clause('SET', sets)} ${clause('REMOVE', removals)}`;
  return { ...condition, UpdateExpression, ...givenValues(values) };
};

export const absentRow = (key: string) => ({
  ConditionExpression: 'attribute_not_exists(#key)',
  ExpressionAttributeNames: { '#key': key },
});

const clause = (verb: string, terms: readonly string[]) =>
  terms.length > 0 ? `${verb} ${terms.join(', ')}` : '';

/** DynamoDB refuses an empty map of values. */
const givenValues = (values: Item): { ExpressionAttributeValues?: Item } =>
  Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {};
