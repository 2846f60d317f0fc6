import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseSlot } from '../../../shared/clients/new-client.ts';
import { decodePlans, encodePlans, slotKey } from '../../../shared/clients/plans.ts';

const planName = fc.stringMatching(/^[a-z][a-z0-9]{0,19}$/);
const plan = fc.record(
  { name: planName, slots: fc.integer({ min: 1, max: 170 }) },
  { noNullPrototype: true },
);

describe('plans', () => {
  it('are decoded as they were encoded, in their order', () => {
    fc.assert(
      fc.property(fc.array(plan, { minLength: 1 }), (plans) => {
        expect(decodePlans(encodePlans(plans))).toEqual(plans);
      }),
    );
    expect(
      encodePlans([
        { name: 'standard', slots: 20 },
        { name: 'slow', slots: 2 },
      ]),
    ).toBe('standard:20,slow:2');
  });

  it.each([
    '',
    'standard',
    'standard:',
    'standard:0',
    'standard:x',
    ':5',
    'standard:20,',
    'standard:20,,slow:2',
  ])('are refused if the text is damaged: "%s"', (text) => {
    expect(() => decodePlans(text)).toThrow(`The plans are damaged: ${text}`);
  });
});

describe('the key of a slot', () => {
  const uuid = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';

  it('has the 20 to 128 letters and digits that API Gateway accepts', () => {
    for (const name of ['a', 'standard', 'a'.repeat(20)]) {
      for (const slot of [1, 10, 170]) expect(slotKey(uuid, name, slot)).toMatch(/^[A-Za-z0-9]{20,128}$/);
    }
  });

  it('differs for each slot of each plan, however the names end', () => {
    const names = ['a', 'a1', 'a10', 'a100', 'a0', 'a00', 'a001', 'b'];
    const keys = names.flatMap((name) =>
      Array.from({ length: 170 }, (_, index) => slotKey(uuid, name, index + 1)),
    );
    expect(new Set(keys).size).toBe(names.length * 170);
    expect(slotKey('f'.repeat(32), 'a', 1)).not.toBe(slotKey(uuid, 'a', 1));
  });
});

describe('the slot of a new client', () => {
  const standard = { name: 'standard', slots: 3 };
  const holder = (Client: string, Slot: number, more = {}) => ({ Client, Plan: 'standard', Slot, ...more });

  it.each<[string, ReturnType<typeof holder>[], ReturnType<typeof chooseSlot>]>([
    ['is the first one in an empty plan', [], { slot: 1, sharedWith: [] }],
    ['is the first free one', [holder('a', 1), holder('c', 3)], { slot: 2, sharedWith: [] }],
    [
      'is one of a removed client, or one that only another plan has taken',
      [holder('a', 1, { RemovedAt: 'now' }), holder('b', 1, { Plan: 'slow' }), holder('c', 2)],
      { slot: 1, sharedWith: [] },
    ],
    ['is not one of a locked client', [holder('a', 1, { LockedAt: 'now' })], { slot: 2, sharedWith: [] }],
    [
      'is the one with the fewest clients if all are taken, and names them',
      [
        holder('a', 1),
        holder('b', 1),
        holder('c', 2),
        holder('d', 2),
        holder('e', 2),
        holder('f', 3),
        holder('g', 4),
      ],
      { slot: 3, sharedWith: ['f'] },
    ],
  ])('%s', (_, clients, expected) => {
    expect(chooseSlot(standard, clients)).toEqual(expected);
  });
});
