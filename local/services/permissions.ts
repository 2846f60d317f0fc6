import {
  type Call,
  effectOf,
  findMatchingStatements,
  matches,
  readStatements,
  type Statement,
} from '../policy.ts';
import { ACCOUNT, type TemplateStack } from '../synthesis/stack.ts';

type Grant = { role: string; action: string; resource: string };

export type Permissions = ReturnType<typeof createPermissions>;

/** The permissions of the functions' roles. The roles of other services, such as AWS Backup, are ignored. */
export const createPermissions = (stack: TemplateStack) => {
  const functions = stack.ofType('AWS::Lambda::Function');
  const roles = new Map(
    functions.map(({ id, properties }) => [
      stack.ref(id),
      String(properties['Role']).split('/').at(-1) ?? '',
    ]),
  );
  const statements = new Map([...roles.values()].map((role) => [role, statementsOf(stack, role)]));
  const granted = [...statements].flatMap(([role, roleStatements]) => grantsOf(role, roleStatements));
  const usedGrants = new Set<string>();
  return {
    granted,
    unused: () => granted.filter((grant) => !usedGrants.has(JSON.stringify(grant))),
    /** Returns AWS's message if the role does not allow the call. Otherwise, marks the permissions of the call as used. */
    refusalOf: (functionName: string, call: Call) => {
      const role = roles.get(functionName);
      if (role === undefined) return 'The security token included in the request is invalid.';
      const matching = findMatchingStatements(statements.get(role) ?? [], call);
      if (effectOf(matching) !== 'Allow') return accessDenied(role, functionName, call);
      for (const grant of grantsOf(role, matching)) {
        if (matches(grant.action, call.action, 'i') && matches(grant.resource, call.resource))
          usedGrants.add(JSON.stringify(grant));
      }
      return undefined;
    },
  };
};

const statementsOf = (stack: TemplateStack, role: string) =>
  stack.ofType('AWS::IAM::Policy').flatMap(({ properties }) => {
    const { Roles, PolicyDocument } = Object(properties);
    return Roles.includes(role) ? readStatements(PolicyDocument) : [];
  });

const grantsOf = (role: string, statements: readonly Statement[]): Grant[] =>
  statements
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((resource) => ({ role, action, resource }))),
    );

const accessDenied = (role: string, functionName: string, { action, resource }: Call) =>
  `User: arn:aws:sts::${ACCOUNT}:assumed-role/${role}/${functionName} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
