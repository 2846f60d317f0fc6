import * as v from 'valibot';
import { StartupError } from '../startup-error.ts';
import type { Template, TemplateResource } from './assembly.ts';

export const REGION = 'eu-central-1';
export const ACCOUNT = '000000000000';

const pseudoParameters: Record<string, string> = {
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/local/51af3dc0-da77-11e4-872e-1234567db123`,
};

export type Resource = {
  id: string;
  properties: Record<string, unknown>;
  metadata: Record<string, unknown>;
};

export class TemplateStack {
  readonly name: string;
  private readonly template: Template;

  constructor(name: string, template: Template) {
    this.name = name;
    this.template = template;
  }

  ofType(type: string): Resource[] {
    return Object.entries(this.template.Resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties, Metadata = {} }]) => {
        return { id, properties: Object(this.resolve(Properties)), metadata: Metadata };
      });
  }

  /** Each resource of a type, with the properties that the schema names. */
  read<T extends object>(type: string, schema: v.GenericSchema<unknown, T>) {
    return this.ofType(type).map(({ id, properties }) => {
      const { success, output, issues } = v.safeParse(schema, properties);
      if (success) return { ...output, ref: this.ref(id), arn: this.attribute(id, 'Arn') };
      throw new StartupError(
        `The local run does not support the ${type} ${id} of the template:\n${v.summarize(issues)}`,
      );
    });
  }

  get outputs(): Record<string, string> {
    const outputs = Object.entries(this.template.Outputs ?? {});
    return Object.fromEntries(outputs.map(([name, { Value }]) => [name, String(this.resolve(Value))]));
  }

  ref(id: string): string {
    const pseudo = pseudoParameters[id] ?? (id === 'AWS::StackName' ? this.name : undefined);
    if (pseudo !== undefined) return pseudo;
    const resource = this.resourceOf(id);
    const refOf = refs[resource.Type];
    return refOf ? refOf(this, id, resource) : `${this.name}-${id}`;
  }

  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
    const intrinsic = others.length === 0 ? intrinsics[name] : undefined;
    if (intrinsic) return intrinsic(this, argument);
    if (name.startsWith('Fn::'))
      throw new StartupError(`The template uses ${name}, which the local run does not support.`);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.resolve(inner)]));
  }

  /** The local run needs only the values of ARNs. Any other attribute gets its own name as a placeholder. */
  attribute(id: string, attribute: string): string {
    const { Type } = this.resourceOf(id);
    return attribute === 'Arn' ? (arns[Type]?.(this.ref(id)) ?? `${id}.Arn`) : `${id}.${attribute}`;
  }

  private resourceOf(id: string) {
    const resource = this.template.Resources[id];
    if (!resource) throw new StartupError(`The template refers to ${id}, which is not in it.`);
    return resource;
  }
}

const arn = (service: string, resource: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** The value of `Ref` for these types. For other types, `Ref` is the stack's name and the resource's id. */
const refs: Record<string, (stack: TemplateStack, id: string, resource: TemplateResource) => string> = {
  // The local run also uses the name as the function's AWS_ACCESS_KEY_ID. An engine such as DynamoDB Local accepts only letters and digits in it.
  'AWS::Lambda::Function': (stack, id) => `${stack.name}${id}`.replaceAll('-', ''),
  'AWS::SNS::Topic': (stack, id) => arn('sns', `${stack.name}-${id}`),
  'AWS::ApiGateway::Stage': (stack, _, { Properties }) => String(stack.resolve(Properties?.['StageName'])),
};

const arns: Record<string, (name: string) => string> = {
  'AWS::DynamoDB::GlobalTable': (name) => arn('dynamodb', `table/${name}`),
  'AWS::Lambda::Function': (name) => arn('lambda', `function:${name}`),
  'AWS::Events::Rule': (name) => arn('events', `rule/${name}`),
  'AWS::IAM::Role': (name) => `arn:aws:iam::${ACCOUNT}:role/${name}`,
  'AWS::Logs::LogGroup': (name) => arn('logs', `log-group:${name}:*`),
};

const strings = (value: unknown) => Array.from(Object(value), String);

const intrinsics: Record<string, (stack: TemplateStack, argument: unknown) => unknown> = {
  Ref: (stack, argument) => stack.ref(String(argument)),
  'Fn::GetAtt': (stack, argument) => {
    const [id = '', attribute = ''] = strings(argument);
    return stack.attribute(id, attribute);
  },
  'Fn::Join': (stack, argument) => {
    const [separator, parts] = Object(argument);
    return strings(stack.resolve(parts)).join(String(separator));
  },
  'Fn::Split': (stack, argument) => {
    const [separator, text] = Object(argument);
    return String(stack.resolve(text)).split(String(separator));
  },
  'Fn::Select': (stack, argument) => {
    const [index, values] = Object(argument);
    return strings(stack.resolve(values))[Number(index)];
  },
  'Fn::Sub': (stack, argument) =>
    String(argument).replaceAll(/\$\{([^}!]+)\}/g, (_, name: string) => stack.ref(name)),
};
