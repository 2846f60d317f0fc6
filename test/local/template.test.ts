import { expect, test } from 'vitest';
import { readApi } from '../../local/gateway/api.ts';
import { createPermissions } from '../../local/services/permissions.ts';
import { LocalStack } from '../../local/stack.ts';
import { sampleSettings } from '../infra/sample-settings.ts';
import { templateOf } from '../infra/template.ts';

type Settings = { stackName?: string; clients?: unknown[] };

test.each(Object.entries<Settings>(sampleSettings))(
  'the local run supports the API, the permissions and the outputs of the settings "%s"',
  (_, settings) => {
    const stack = new LocalStack('Warehouse', JSON.parse(JSON.stringify(templateOf(settings))));
    const { usagePlans } = readApi(stack);
    expect(usagePlans.size).toBe(settings.clients?.length ?? 1);
    const services = createPermissions(stack).granted.map(({ action }) => action.split(':')[0]);
    expect([...new Set(services)].toSorted()).toEqual(['dynamodb', 'logs', 'secretsmanager']);
    expect(stack.outputs).toHaveProperty('ClientNames');
  },
);
