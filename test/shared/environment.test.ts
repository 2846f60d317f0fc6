import { afterEach, describe, expect, it, vi } from 'vitest';
import { optionalNumber, required, variables } from '../../shared/environment.ts';
import { tables } from '../../shared/tables.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a variable of the environment', () => {
  it('is read', () => {
    vi.stubEnv(variables.secretPrefix, 'arn:');
    expect(required(variables.secretPrefix)).toBe('arn:');
  });

  it.each([undefined, ''])('that is required and is %j is named', (value) => {
    vi.stubEnv(variables.secretPrefix, value);
    expect(() => required(variables.secretPrefix)).toThrow(
      'The environment variable SECRET_PREFIX is not set.',
    );
  });

  it.each([
    ['30', 30],
    ['', undefined],
    [undefined, undefined],
  ])('that is an optional number and is %j is %j', (value, number) => {
    vi.stubEnv(tables.BalanceSnapshots.expiry.variable, value);
    expect(optionalNumber(tables.BalanceSnapshots.expiry.variable)).toBe(number);
  });
});
