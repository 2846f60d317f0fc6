import * as v from 'valibot';
import { StartupError } from './startup-error.ts';

const strings = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);

const statementSchema = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: strings,
  Resource: strings,
});

/**
 * The elements of a policy that the local run evaluates. It refuses all others, because an ignored element could allow
 * more than on the platform.
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

type Call = { action: string; resource: string };

export const findMatchingStatements = (statements: readonly Statement[], { action, resource }: Call) =>
  statements.filter(
    ({ Action, Resource }) =>
      Action.some((pattern) => matches(pattern, action, 'i')) &&
      Resource.some((pattern) => matches(pattern, resource)),
  );

/** The result for a call whose matching statements these are: a Deny overrides every Allow. */
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
