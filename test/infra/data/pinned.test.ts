import { expect, it } from 'vitest';
import { sample } from '../deployment.ts';

const table = (...names: string[]) => ({
  KeySchema: names.map((AttributeName, index) => ({
    AttributeName,
    KeyType: index === 0 ? 'HASH' : 'RANGE',
  })),
  AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
});

const plan = (name: string) => ({ [`AWS::ApiGateway::UsagePlan Plan${name}`]: {} });

/** The stack of the tests has this id. */
const UUID = '51af3dc0da7711e4872e1234567db123';
const slot = (planName: string, number: number) => {
  const id = `Slot${planName}x${number}`;
  const value = `${UUID}${planName}${String(number).padStart(3, '0')}`;
  return {
    [`AWS::ApiGateway::ApiKey ${id}`]: { Value: value, Name: undefined },
    [`AWS::ApiGateway::UsagePlanKey ${id}InPlan`]: {
      KeyId: `Stack-${id}`,
      UsagePlanId: `Stack-Plan${planName}`,
    },
  };
};

// A line here never changes, because CloudFormation replaces a resource whose logical id changes.
// A table with a new id or other keys is new and empty, and CloudFormation cannot change its type.
// API Gateway refuses a second key with the same value and a second plan for one key, so neither can be replaced.
const pinned: Record<string, object> = {
  'AWS::DynamoDB::GlobalTable TablesMaterialCodesDD5163A6': table('MaterialCode'),
  'AWS::DynamoDB::GlobalTable TablesPurchaseOrders4FFD68E7': table('PurchaseOrder'),
  'AWS::DynamoDB::GlobalTable TablesChangeTimestamps7D285AAF': table('Client', 'Timestamp'),
  'AWS::DynamoDB::GlobalTable TablesBalanceSnapshotsF7A3B2DD': table('Client', 'SnapshotId'),
  'AWS::DynamoDB::GlobalTable TablesClients1DE6DB3C': table('Client'),
  'AWS::DynamoDB::GlobalTable TablesAdminRecords9CC7131E': table('Topic', 'Id'),
  ...plan('standard'),
  ...plan('slow'),
  ...Object.assign({}, ...[1, 2, 3].map((number) => slot('standard', number))),
  ...Object.assign({}, ...[1, 2].map((number) => slot('slow', number))),
};
const types = new Set([
  'AWS::DynamoDB::Table',
  ...Object.keys(pinned).map((line) => line.split(' ')[0] ?? ''),
]);

it.each([
  ['default settings', 'default', / Slotstandardx([4-9]|..)(InPlan)?$/],
  ['every setting changed and other plans', 'everything', / (Plan|Slot)(slow|capped|usual)/],
] as const)('the template has every pinned resource and no other, with %s', (_, settings, leftOut) => {
  const { resources } = sample(settings);
  const lines = [...types].flatMap((type) =>
    resources<object>(type).map(({ id, properties }): [string, object] => {
      const line = `${type} ${id}`;
      const names = Object.keys(pinned[line] ?? {});
      return [line, Object.fromEntries(names.map((name) => [name, Reflect.get(properties, name)]))];
    }),
  );
  const without = (all: [string, object][]) =>
    Object.fromEntries(all.filter(([line]) => !leftOut.test(line)));
  const advice = 'Change the code back where a line differs or is missing. Add a new line to pinned.';
  expect(without(lines), advice).toEqual(without(Object.entries(pinned)));
});
