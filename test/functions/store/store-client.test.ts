import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { storeClient } from '../../../functions/store/store-client.ts';

const stepsOf = ({ middlewareStack }: DynamoDBClient) => middlewareStack.identify();

it("storeClient has all middleware of the SDK's client except the logger", () => {
  process.env['AWS_REGION'] ??= 'eu-central-1';
  const usual = stepsOf(new DynamoDBClient({}));
  const withoutLog = usual.filter((step) => !step.startsWith('loggerMiddleware'));
  expect(withoutLog).toHaveLength(usual.length - 1);
  expect(stepsOf(storeClient())).toEqual(withoutLog);
});
