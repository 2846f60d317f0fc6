import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { Settings } from '../../infra/settings/settings.ts';
import { validate } from '../../shared/schemas/validate.ts';

/** No lists in the place of objects: valibot accepts those, and the settings do not. */
const odd = fc.constantFrom(null, '', 'x', -1, 0.5, 1e9, true, { unknown: 1 }, ['x']);
const or = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 40 }, { arbitrary: odd, weight: 1 });

const optional = <T extends object>(fields: { [name in keyof T]: fc.Arbitrary<T[name]> }) =>
  or(fc.record(fields, { requiredKeys: [] }));

const name = fc.constantFrom('wms', 'wms-south', 'archive.2');
const client = or(
  fc.oneof(
    name,
    fc.record(
      { name: or(name), username: or(name), silenceHours: or(fc.nat(168)) },
      { requiredKeys: ['name'] },
    ),
  ),
);
const settings = optional({
  stackName: or(fc.constantFrom('Main', '1')),
  clients: or(fc.array(client, { minLength: 1, maxLength: 3 })),
  ephemeral: or(fc.boolean()),
  throttle: optional({ ratePerSecond: or(fc.nat(100)), burst: or(fc.nat(100)) }),
  allowedCidrs: or(fc.array(or(fc.constantFrom('203.0.113.0/24', '::/0', 'x')), { maxLength: 2 })),
  logRetentionDays: or(fc.constantFrom(1, 90, 91)),
  alarms: optional({ email: or(fc.constant('a@example.com')), silenceHours: or(fc.nat(168)) }),
  firewall: or(fc.record({ requestsPerFiveMinutes: or(fc.integer({ min: 10, max: 99 })) })),
});

it('validates settings as valibot does, with the same output', () => {
  const tally = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(settings, (written) => {
      const { success, output } = v.safeParse(Settings, written);
      tally[success ? 'accepted' : 'refused'] += 1;
      const result = validate(Settings, written);
      if (success) expect(result).toEqual({ output });
      else expect(result.faults?.count).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(tally.accepted, tally.refused)).toBeGreaterThan(100);
});
