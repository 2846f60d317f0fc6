import { effectOf, findMatchingStatements, matches, readStatements, type Statement } from '../policy.ts';
import { ACCOUNT, type LocalStack } from '../stack.ts';

type Grant = { role: string; action: string; resource: string };

/** The permissions of the functions' roles. The roles of other services, such as AWS Backup, are ignored. */
export class Permissions {
  private readonly roles: Map<string, string>;
  private readonly statements = new Map<string, Statement[]>();
  private readonly used = new Set<string>();

  constructor(stack: LocalStack) {
    const functions = stack.ofType('AWS::Lambda::Function');
    this.roles = new Map(
      functions.map(({ id, properties }) => [
        stack.ref(id),
        String(properties['Role']).split('/').at(-1) ?? '',
      ]),
    );
    const names = [...this.roles.values()];
    for (const { properties } of stack.ofType('AWS::IAM::Policy')) {
      const { Roles, PolicyDocument } = Object(properties);
      for (const role of Roles) {
        if (!names.includes(role)) continue;
        this.statements.set(role, [...(this.statements.get(role) ?? []), ...readStatements(PolicyDocument)]);
      }
    }
  }

  /** Returns AWS's message if the function's role does not allow the call. Otherwise, marks its permissions as used. */
  refusalOf(functionName: string, action: string, resource: string) {
    const role = this.roles.get(functionName);
    if (role === undefined) return 'The security token included in the request is invalid.';
    const matching = findMatchingStatements(this.statements.get(role) ?? [], { action, resource });
    if (effectOf(matching) !== 'Allow') return accessDenied(role, functionName, action, resource);
    for (const grant of grantsOf(role, matching)) {
      if (matches(grant.action, action, 'i') && matches(grant.resource, resource))
        this.used.add(JSON.stringify(grant));
    }
    return undefined;
  }

  get granted(): Grant[] {
    return [...this.statements].flatMap(([role, statements]) =>
      grantsOf(
        role,
        statements.filter(({ Effect }) => Effect === 'Allow'),
      ),
    );
  }

  get unused() {
    return this.granted.filter((grant) => !this.used.has(JSON.stringify(grant)));
  }
}

const grantsOf = (role: string, statements: readonly Statement[]): Grant[] =>
  statements.flatMap(({ Action, Resource }) =>
    Action.flatMap((action) => Resource.map((resource) => ({ role, action, resource }))),
  );

const accessDenied = (role: string, functionName: string, action: string, resource: string) =>
  `User: arn:aws:sts::${ACCOUNT}:assumed-role/${role}/${functionName} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
