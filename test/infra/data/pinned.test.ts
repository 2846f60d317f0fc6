import { expect, it } from 'vitest';
import { onlyMatch } from '../../support/assembly.ts';
import { sample } from '../deployment.ts';

// A line here never changes, because CloudFormation replaces a resource whose logical id changes.
// A table with a new id or other keys is new and empty, and CloudFormation cannot change its type.
// A secret with a new id or another GenerateSecretString has a new password.
const pinned: Record<string, string> = {
  TablesMaterialCodesDD5163A6: 'GlobalTable MaterialCode HASH S',
  TablesPurchaseOrders4FFD68E7: 'GlobalTable PurchaseOrder HASH S',
  TablesChangeTimestamps7D285AAF: 'GlobalTable Client HASH S, Timestamp RANGE S',
  TablesBalanceSnapshotsF7A3B2DD: 'GlobalTable Client HASH S, SnapshotId RANGE S',
  Clientae1fd358c7:
    '{"ExcludePunctuation":true,"GenerateStringKey":"password","PasswordLength":32,"SecretStringTemplate":"{\\"username\\":\\"warehouse\\"}"}',
  Client733e028fee:
    '{"ExcludePunctuation":true,"GenerateStringKey":"password","PasswordLength":32,"SecretStringTemplate":"{\\"username\\":\\"DOMAIN\\\\\\\\кладовщик\\"}"}',
};

// API Gateway refuses a second key with the same value and a second plan for one key, so neither can be replaced.
const pinnedLimits: Record<string, string> = {
  Clientae1fd358c7Key: 'Clientae1fd358c7',
  Clientae1fd358c7Plan: 'UsagePlan',
  Clientae1fd358c7PlanKey: 'Stack-Clientae1fd358c7Key Stack-Clientae1fd358c7Plan',
  Client733e028feeKey: 'Client733e028fee',
  Client733e028feePlan: 'UsagePlan',
  Client733e028feePlanKey: 'Stack-Client733e028feeKey Stack-Client733e028feePlan',
};

type Settings = Parameters<typeof sample>[0];
type Table = {
  KeySchema: { AttributeName: string; KeyType: string }[];
  AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
};
type Secret = { GenerateSecretString: Record<string, unknown> };

/** Every table with its keys, and every secret with its GenerateSecretString, by logical id. */
const keptBy = (settings: Settings): Record<string, string> => {
  const { resources } = sample(settings);
  const tablesOf = (type: string) =>
    resources<Table>(`AWS::DynamoDB::${type}`).map((table) => ({ type, ...table }));
  const tables = ['Table', 'GlobalTable'].flatMap(tablesOf).map(({ id, type, properties }) => {
    const { KeySchema, AttributeDefinitions } = properties;
    const typeOf = (name: string) =>
      onlyMatch(AttributeDefinitions, ({ AttributeName }) => AttributeName === name).AttributeType;
    const keys = KeySchema.map(
      ({ AttributeName, KeyType }) => `${AttributeName} ${KeyType} ${typeOf(AttributeName)}`,
    );
    return [id, `${type} ${keys.join(', ')}`];
  });
  const secrets = resources<Secret>('AWS::SecretsManager::Secret').map(({ id, properties }) => {
    const sorted = Object.entries(properties.GenerateSecretString).toSorted();
    return [id, JSON.stringify(Object.fromEntries(sorted))];
  });
  return Object.fromEntries([...tables, ...secrets]);
};

/** Every API key with its value and name, every usage plan, and every link between the two. */
const limitsIn = (settings: Settings): Record<string, string> => {
  const { resources } = sample(settings);
  const namesOf = (type: string, nameOf: (properties: Record<string, unknown>) => string) =>
    resources<Record<string, unknown>>(`AWS::ApiGateway::${type}`).map(({ id, properties }) => [
      id,
      nameOf(properties),
    ]);
  return Object.fromEntries([
    // Without the random end of the secret's name.
    ...namesOf('ApiKey', ({ Value, Name = '' }) => `${String(Value).slice(0, -18)}${Name}`),
    ...namesOf('UsagePlan', () => 'UsagePlan'),
    ...namesOf('UsagePlanKey', ({ KeyId, UsagePlanId }) => `${KeyId} ${UsagePlanId}`),
  ]);
};

/** What belongs to the third client of everything, and to the two that the default settings do not have. */
const OF_THIRD_CLIENT = /^Client72f4be89d6/;
const OF_OTHER_CLIENTS = /^Client(733e028fee|72f4be89d6)/;

it.each([
  ['default settings', 'default', OF_OTHER_CLIENTS],
  ['every setting changed and more clients', 'everything', OF_THIRD_CLIENT],
] as const)('the template has every pinned resource and no other, with %s', (_, settings, leftOut) => {
  const without = (ids: Record<string, string>) =>
    Object.fromEntries(Object.entries(ids).filter(([id]) => !leftOut.test(id)));
  const advice = 'Change the code back where a line differs or is missing. Add a new line to pinned.';
  expect(without(keptBy(settings)), advice).toEqual(without(pinned));
  expect(without(limitsIn(settings)), advice).toEqual(without(pinnedLimits));
});
