import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { isRecord } from '../../shared/schemas/json.ts';

// Compares a template with AWS's schemas of its resources, as the CDK's authors publish them. The CDK's types are from
// the same schemas, but they do not cover escape hatches, tokens and JSON in strings.

const database = loadAwsServiceSpecSync();
const specOf = (type: unknown) =>
  database.lookup('resource', 'cloudFormationType', 'equals', String(type))[0];

type Properties = NonNullable<ReturnType<typeof specOf>>['properties'];
type PropertyType = Properties[string]['type'];
type Resource = { Type: string; Properties?: unknown; DependsOn?: unknown };
type Template = {
  Resources: Record<string, Resource>;
  Parameters?: Record<string, unknown>;
  Outputs?: unknown;
};

/** The faults of a template, each with its path. */
export const findFaults = (template: Template): string[] => [
  ...Object.entries(template.Resources).flatMap(([id, { Type, Properties = {} }]) => {
    const spec = specOf(Type);
    return spec ? faultsOfObject(spec.properties, Properties, id) : [`${id}: ${Type} is no resource type`];
  }),
  ...faultsOfReferences(template),
];

const faultsOfObject = (properties: Properties, value: unknown, path: string): string[] => {
  if (!isRecord(value)) return [`${path} is no object`];
  const missing = Object.entries(properties)
    .filter(([name, { required }]) => required && !(name in value))
    .map(([name]) => `${path}.${name} is missing`);
  const faults = Object.entries(value).flatMap(([name, entry]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property ? faultsOf(property.type, entry, `${path}.${name}`) : [`${path}.${name} is no property`];
  });
  return [...missing, ...faults];
};

const faultsOf = (type: PropertyType, value: unknown, path: string): string[] => {
  if (isIntrinsic(value)) {
    const [, yes, no] = isRecord(value) && Array.isArray(value['Fn::If']) ? value['Fn::If'] : [];
    return [yes, no].flatMap((branch) => (branch === undefined ? [] : faultsOf(type, branch, path)));
  }
  switch (type.type) {
    case 'ref':
      return faultsOfObject(database.get('typeDefinition', type.reference).properties, value, path);
    case 'array':
      if (!Array.isArray(value)) return [`${path} is no list`];
      return value.flatMap((entry, index) => faultsOf(type.element, entry, `${path}.${index}`));
    case 'map':
      if (!isRecord(value)) return [`${path} is no object`];
      return Object.entries(value).flatMap(([name, entry]) =>
        faultsOf(type.element, entry, `${path}.${name}`),
      );
    case 'union': {
      const faults = type.types.map((option) => faultsOf(option, value, path));
      return faults.some(({ length }) => length === 0) ? [] : faults.flat();
    }
    default:
      return faultsOfPlainValue(type, value, path);
  }
};

type PlainType = Exclude<PropertyType, { type: 'ref' | 'array' | 'map' | 'union' }>;

const isText = (value: unknown) => typeof value === 'string';
const fits: Record<PlainType['type'], (value: unknown) => boolean> = {
  string: isText,
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  json: isRecord,
  tag: (value) => isRecord(value) && Object.keys(value).toSorted().join() === 'Key,Value',
  'date-time': isText,
  null: (value) => value === null,
};

const faultsOfPlainValue = (type: PlainType, value: unknown, path: string): string[] => {
  if (!fits[type.type](value)) return [`${path} is no ${type.type}`];
  const allowed: unknown[] | undefined = 'allowedValues' in type ? type.allowedValues : undefined;
  return !allowed || allowed.includes(value) ? [] : [`${path} is ${value}, none of ${allowed.join(', ')}`];
};

const isIntrinsic = (value: unknown) =>
  isRecord(value) && Object.keys(value).length === 1 && /^(Ref|Fn::\w+)$/.test(Object.keys(value)[0] ?? '');

/** Every Ref, GetAtt and DependsOn needs its resource, and GetAtt also an attribute of that resource. */
const faultsOfReferences = ({ Resources, Parameters = {}, Outputs }: Template): string[] => {
  const isNamed = (name: string) => name in Resources || name in Parameters || name.startsWith('AWS::');
  const faultsOfName = (name: string) => (isNamed(name) ? [] : [`${name} is referenced and does not exist`]);
  const faultsOfAttribute = (id: string, attribute: string) => {
    const resource = Resources[id];
    if (!resource) return faultsOfName(id);
    const attributes = specOf(resource.Type)?.attributes ?? {};
    return Object.hasOwn(attributes, attribute) ? [] : [`${id} has no attribute ${attribute}`];
  };
  const faultsOfText = (text: string) =>
    [...text.matchAll(/\$\{([^!.}]+)(?:\.([^}]+))?\}/g)].flatMap(([, id = '', attribute]) =>
      attribute === undefined ? faultsOfName(id) : faultsOfAttribute(id, attribute),
    );
  const visit = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(visit);
    if (!isRecord(value)) return [];
    const { Ref: name, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = value;
    return [
      ...(typeof name === 'string' ? faultsOfName(name) : []),
      ...(Array.isArray(attribute) ? faultsOfAttribute(String(attribute[0]), String(attribute[1])) : []),
      ...(typeof text === 'string' ? faultsOfText(text) : []),
      ...Object.values(value).flatMap(visit),
    ];
  };
  const dependencies = Object.values(Resources).flatMap(({ DependsOn = [] }) =>
    [DependsOn].flat().map(String),
  );
  return [...dependencies.flatMap(faultsOfName), ...visit(Resources), ...visit(Outputs)];
};
