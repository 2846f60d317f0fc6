import { effectOf, findMatchingStatements, matches, readStatements, type Statement } from '../policy.ts';
import { ACCOUNT, type LocalStack } from '../stack.ts';

type Grant = { role: string; action: string; resource: string };

/** The permissions of the functions' roles. The roles of other services, such as AWS Backup, are ignored. */
export class Permissions {
  private readonly statements = new Map<string, Statement[]>();
  private readonly uses = new Map<string, Grant>();

  constructor(stack: LocalStack) {
    const users = stack.ofType('AWS::Lambda::Function').map(({ properties }) => properties['Role']);
    const roles = stack.ofType('AWS::IAM::Role').filter(({ id }) => users.includes(stack.arnOf(id)));
    const names = roles.map(({ id }) => stack.ref(id));
    for (const { properties } of stack.ofType('AWS::IAM::Policy')) {
      const { Roles = [], PolicyDocument } = Object(properties);
      for (const role of Roles) if (names.includes(role)) this.add(role, PolicyDocument);
    }
    for (const { id, properties } of roles) {
      const { Policies = [] } = Object(properties);
      for (const { PolicyDocument } of Policies) this.add(stack.ref(id), PolicyDocument);
    }
  }

  /** Also marks every permission that allows the call as used. */
  allows(role: string, action: string, resource: string) {
    const matching = findMatchingStatements(this.statements.get(role) ?? [], { action, resource });
    const isAllowed = effectOf(matching) === 'Allow';
    for (const { Action, Resource } of isAllowed ? matching : []) {
      for (const used of Action.filter((pattern) => matches(pattern, action, 'i'))) {
        for (const usedResource of Resource.filter((pattern) => matches(pattern, resource))) {
          this.uses.set(`${role} ${used} ${usedResource}`, { role, action: used, resource: usedResource });
        }
      }
    }
    return isAllowed;
  }

  get granted(): Grant[] {
    return [...this.statements].flatMap(([role, statements]) =>
      statements
        .filter(({ Effect }) => Effect === 'Allow')
        .flatMap(({ Action, Resource }) =>
          Action.flatMap((action) => Resource.map((resource) => ({ role, action, resource }))),
        ),
    );
  }

  get unused() {
    return this.granted.filter(
      ({ role, action, resource }) => !this.uses.has(`${role} ${action} ${resource}`),
    );
  }

  private add(role: string, document: unknown) {
    this.statements.set(role, [...(this.statements.get(role) ?? []), ...readStatements(document)]);
  }
}

export const accessDenied = (role: string, functionName: string, action: string, resource: string) =>
  `User: arn:aws:sts::${ACCOUNT}:assumed-role/${role}/${functionName} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
