import * as v from 'valibot';
import { StartupError } from './startup-error.ts';

const strings = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);

/** The statement allows a read only if the read names its attributes, and this list has all of them. */
const attributesCondition = v.strictObject({
  'ForAllValues:StringEquals': v.strictObject({ 'dynamodb:Attributes': strings }),
  StringEquals: v.strictObject({ 'dynamodb:Select': v.literal('SPECIFIC_ATTRIBUTES') }),
});

const commonFields = { Sid: v.optional(v.string()), Action: strings, Resource: strings };
const statementSchema = v.variant('Effect', [
  v.strictObject({ ...commonFields, Effect: v.literal('Allow'), Condition: v.optional(attributesCondition) }),
  v.strictObject({ ...commonFields, Effect: v.literal('Deny') }),
]);

/**
 * The elements of a policy that the local run evaluates. A policy with another element is refused. Without this element,
 * the local run could allow more than the platform.
 */
export const policySchema = v.object({ Statement: v.array(statementSchema) });

export type Statement = v.InferOutput<typeof statementSchema>;

export const readStatements = (document: unknown): Statement[] => {
  const { output, issues, success } = v.safeParse(policySchema, document);
  if (success) return output.Statement;
  throw new StartupError(
    `A policy of the template has an element that the local run does not support:\n${v.summarize(issues)}`,
  );
};

export type Call = {
  action: string;
  resource: string;
  /** Set for a read that names its attributes. */
  onlyAttributes?: readonly string[] | undefined;
};

export const findMatchingStatements = (statements: readonly Statement[], call: Call) =>
  statements.filter(
    (statement) =>
      statement.Action.some((pattern) => matches(pattern, call.action, 'i')) &&
      statement.Resource.some((pattern) => matches(pattern, call.resource)) &&
      meetsCondition(statement, call),
  );

const meetsCondition = (statement: Statement, { onlyAttributes }: Call) => {
  if (statement.Effect === 'Deny' || !statement.Condition) return true;
  const allowed = statement.Condition['ForAllValues:StringEquals']['dynamodb:Attributes'];
  return onlyAttributes?.every((name) => allowed.includes(name)) ?? false;
};

/** The effect of the statements that match a call. A Deny overrides every Allow. */
export const effectOf = (matching: readonly Statement[]) =>
  matching.find(({ Effect }) => Effect === 'Deny')?.Effect ?? matching[0]?.Effect;

export const matches = (pattern: string, text: string, flags = '') =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    `s${flags}`,
  ).test(text);
