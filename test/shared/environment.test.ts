import { afterEach, describe, expect, it, vi } from 'vitest';
import { optionalNumber, required, variables } from '../../shared/environment.ts';
import { tables } from '../../shared/tables.ts';

afterEach(() => vi.unstubAllEnvs());

describe('environment variables', () => {
  it('required returns the value', () => {
    vi.stubEnv(variables.secretPrefix, 'arn:');
    expect(required(variables.secretPrefix)).toBe('arn:');
  });

  it.each([undefined, ''])('required refuses %j and names the variable', (value) => {
    vi.stubEnv(variables.secretPrefix, value);
    expect(() => required(variables.secretPrefix)).toThrow(
      'The environment variable SECRET_PREFIX is not set.',
    );
  });

  it.each([
    ['30', 30],
    ['', undefined],
    [undefined, undefined],
  ])('optionalNumber reads %j as %j', (value, number) => {
    vi.stubEnv(tables.BalanceSnapshots.expiry.variable, value);
    expect(optionalNumber(tables.BalanceSnapshots.expiry.variable)).toBe(number);
  });
});
