import { expect, it } from 'vitest';
import { sample } from '../deployment.ts';

const table = (...names: string[]) => ({
  KeySchema: names.map((AttributeName, index) => ({
    AttributeName,
    KeyType: index === 0 ? 'HASH' : 'RANGE',
  })),
  AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
});

const client = (id: string, username: string) => ({
  [`AWS::SecretsManager::Secret ${id}`]: {
    GenerateSecretString: {
      ExcludePunctuation: true,
      GenerateStringKey: 'password',
      PasswordLength: 32,
      SecretStringTemplate: JSON.stringify({ username }),
    },
  },
  [`AWS::ApiGateway::ApiKey ${id}Key`]: { Value: expect.stringMatching(`^${id}`), Name: undefined },
  [`AWS::ApiGateway::UsagePlan ${id}Plan`]: {},
  [`AWS::ApiGateway::UsagePlanKey ${id}PlanKey`]: {
    KeyId: `Stack-${id}Key`,
    UsagePlanId: `Stack-${id}Plan`,
  },
});

// A line here never changes, because CloudFormation replaces a resource whose logical id changes.
// A table with a new id or other keys is new and empty, and CloudFormation cannot change its type.
// A secret with a new id or another GenerateSecretString has a new password.
// API Gateway refuses a second key with the same value and a second plan for one key, so neither can be replaced.
const pinned: Record<string, object> = {
  'AWS::DynamoDB::GlobalTable TablesMaterialCodesDD5163A6': table('MaterialCode'),
  'AWS::DynamoDB::GlobalTable TablesPurchaseOrders4FFD68E7': table('PurchaseOrder'),
  'AWS::DynamoDB::GlobalTable TablesChangeTimestamps7D285AAF': table('Client', 'Timestamp'),
  'AWS::DynamoDB::GlobalTable TablesBalanceSnapshotsF7A3B2DD': table('Client', 'SnapshotId'),
  ...client('Clientae1fd358c7', 'warehouse'),
  ...client('Client733e028fee', 'DOMAIN\\кладовщик'),
};
const types = new Set([
  'AWS::DynamoDB::Table',
  ...Object.keys(pinned).map((line) => line.split(' ')[0] ?? ''),
]);

it.each([
  ['default settings', 'default', / Client733e028fee/],
  ['every setting changed and a third client', 'everything', / Client72f4be89d6/],
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
