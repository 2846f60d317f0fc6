import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assembly } from '../support/assembly.ts';
import { testFailingReads } from './failing-reads.ts';

testFailingReads(['answered with a 5xx', 'disconnected before it runs']);

test('the authorizer and a function together end before the gateway stops waiting', async () => {
  type Resource = { Type: string; Properties: { Timeout?: number; Handler?: string } };
  const template = readFileSync(join(await assembly(), 'WarehouseControl.template.json'), 'utf8');
  const { Resources }: { Resources: Record<string, Resource> } = JSON.parse(template);
  const functions = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  const timeoutOf = (wanted: (id: string) => boolean) =>
    Math.max(...functions.filter(([id]) => wanted(id)).map(([, { Properties }]) => Properties.Timeout ?? 0));
  const isAuthorizer = (id: string) => id.startsWith('Authorizer');
  expect(timeoutOf(isAuthorizer) + timeoutOf((id) => !isAuthorizer(id))).toBeLessThan(29);
});
