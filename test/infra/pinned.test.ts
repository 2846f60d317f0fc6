import { expect, it } from 'vitest';
import { onlyMatch } from '../support/assembly.ts';
import { sample } from './deployment.ts';

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
};
/** The secret of the client wms.1, whose settings are an object. */
const pinnedSecondClient = {
  Client733e028fee:
    '{"ExcludePunctuation":true,"GenerateStringKey":"password","PasswordLength":32,"SecretStringTemplate":"{\\"username\\":\\"DOMAIN\\\\\\\\кладовщик\\"}"}',
};

// API Gateway refuses a second key with the same value and a second plan for one key, so neither can be replaced.
const pinnedLimits: Record<string, string> = {
  Clientae1fd358c7Key: 'Clientae1fd358c7AbCdEfGhIjKlmNoPqR',
  Clientae1fd358c7Plan: 'UsagePlan',
  Clientae1fd358c7PlanKey: 'Clientae1fd358c7Key Clientae1fd358c7Plan',
};
const pinnedLimitsOfSecondClient: Record<string, string> = {
  Client733e028feeKey: 'Client733e028feeAbCdEfGhIjKlmNoPqR',
  Client733e028feePlan: 'UsagePlan',
  Client733e028feePlanKey: 'Client733e028feeKey Client733e028feePlan',
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
    ...namesOf('ApiKey', ({ Value, Name = '' }) => `${Value}${Name}`),
    ...namesOf('UsagePlan', () => 'UsagePlan'),
    ...namesOf('UsagePlanKey', ({ KeyId, UsagePlanId }) => `${KeyId} ${UsagePlanId}`),
  ]);
};

it('the template has every pinned table and secret, and no others', () => {
  const advice = 'Change the code back where a line differs or is missing. Add a new line to pinned.';
  expect(keptBy('default'), advice).toEqual(pinned);
});

it('the template has every pinned key and plan', () => {
  expect(limitsIn('default')).toEqual(pinnedLimits);
});

it('all of them stay the same with every other setting changed and more clients', () => {
  expect(keptBy('everything')).toMatchObject({ ...pinned, ...pinnedSecondClient });
  expect(limitsIn('everything')).toMatchObject({ ...pinnedLimits, ...pinnedLimitsOfSecondClient });
});

it('without a client, only its secret, its key and its plan are removed', () => {
  const ofOthers = (ids: Record<string, string>) =>
    Object.fromEntries(Object.entries(ids).filter(([id]) => !/^Client(733e028fee|72f4be89d6)/.test(id)));
  expect(ofOthers(keptBy('everything'))).toEqual(keptBy('default'));
  expect(ofOthers(limitsIn('everything'))).toEqual(limitsIn('default'));
});
