import { expect, test } from 'vitest';
import { readApi } from '../../local/gateway/api.ts';
import { startSchedule } from '../../local/schedule.ts';
import { createPermissions } from '../../local/services/permissions.ts';
import { TemplateStack } from '../../local/synthesis/stack.ts';
import { decodePlans, slotKey } from '../../shared/clients/plans.ts';
import { sampleSettings } from '../infra/sample-settings.ts';
import { templateOf } from '../infra/template.ts';

test.each(Object.entries<object>(sampleSettings))(
  'the local run supports the API, the permissions, the schedule and the outputs of the settings "%s"',
  (_, settings) => {
    const stack = new TemplateStack('Warehouse', JSON.parse(JSON.stringify(templateOf(settings))));
    const authorizer = stack.ofType('AWS::Lambda::Function').find(({ id }) => id.startsWith('Authorizer'));
    const { STACK_UUID, PLANS } = Object(authorizer?.properties['Environment']).Variables;
    const keys = decodePlans(PLANS).flatMap(({ name, slots }) =>
      Array.from({ length: slots }, (_, index) => slotKey(STACK_UUID, name, index + 1)),
    );
    expect([...readApi(stack).usagePlans.keys()]).toEqual(keys);
    expect(stack.outputs['Plans']).toBe(PLANS);
    const services = createPermissions(stack).granted.map(({ action }) => action.split(':')[0]);
    expect([...new Set(services)].toSorted()).toEqual(['dynamodb', 'logs', 'sns']);
    startSchedule(stack, { invoke: async () => ({ response: 'null' }) }).stop();
  },
);
