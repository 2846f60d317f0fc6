import type { LocalStack } from '../stack.ts';
import { ACCOUNT } from '../stack.ts';
import { StartupError } from '../startup-error.ts';

type Statement = { effect: string; actions: string[]; resources: string[] };
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
      for (const role of listOf(properties['Roles'])) {
        if (names.includes(role)) this.add(role, properties['PolicyDocument']);
      }
    }
    for (const { id, properties } of roles) {
      for (const policy of asArray(properties['Policies']))
        this.add(stack.ref(id), field(policy, 'PolicyDocument'));
    }
  }

  /** Also marks every permission that allows the call as used. */
  allows(role: string, action: string, resource: string) {
    const matching = (this.statements.get(role) ?? []).filter(
      ({ actions, resources }) =>
        actions.some((pattern) => matches(pattern, action, 'i')) &&
        resources.some((pattern) => matches(pattern, resource)),
    );
    const isAllowed =
      matching.some(({ effect }) => effect === 'Allow') && !matching.some(({ effect }) => effect === 'Deny');
    for (const { actions, resources } of isAllowed ? matching : []) {
      for (const used of actions.filter((pattern) => matches(pattern, action, 'i'))) {
        for (const usedResource of resources.filter((pattern) => matches(pattern, resource))) {
          this.uses.set(`${role} ${used} ${usedResource}`, { role, action: used, resource: usedResource });
        }
      }
    }
    return isAllowed;
  }

  get granted(): Grant[] {
    return [...this.statements].flatMap(([role, statements]) =>
      statements
        .filter(({ effect }) => effect === 'Allow')
        .flatMap(({ actions, resources }) =>
          actions.flatMap((action) => resources.map((resource) => ({ role, action, resource }))),
        ),
    );
  }

  get unused() {
    return this.granted.filter(
      ({ role, action, resource }) => !this.uses.has(`${role} ${action} ${resource}`),
    );
  }

  private add(role: string, document: unknown) {
    const statements = asArray(field(document, 'Statement'))
      .map(checkElements)
      .map((statement) => ({
        effect: String(field(statement, 'Effect')),
        actions: listOf(field(statement, 'Action')),
        resources: listOf(field(statement, 'Resource')),
      }));
    this.statements.set(role, [...(this.statements.get(role) ?? []), ...statements]);
  }
}

const KNOWN_ELEMENTS = new Set(['Sid', 'Effect', 'Action', 'Resource']);

/** If the local run ignored an element, a role could have more permissions than on the platform. */
const checkElements = (statement: unknown) => {
  const unknown = Object.keys(Object(statement)).find((element) => !KNOWN_ELEMENTS.has(element));
  if (unknown)
    throw new StartupError(`A policy of the template uses ${unknown}, which the local run does not support.`);
  return statement;
};

export const accessDenied = (role: string, functionName: string, action: string, resource: string) =>
  `User: arn:aws:sts::${ACCOUNT}:assumed-role/${role}/${functionName} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;

export const matches = (pattern: string, text: string, flags = '') =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    `s${flags}`,
  ).test(text);

const asArray = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
const listOf = (value: unknown) => asArray(value).map(String);
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
