import { afterEach, describe, expect, it, vi } from 'vitest';
import { optionalNumberVariable, requiredVariable, variables } from '../../shared/environment.ts';
import { tables } from '../../shared/tables.ts';

afterEach(() => vi.unstubAllEnvs());

describe('environment variables', () => {
  it('requiredVariable returns the value', () => {
    vi.stubEnv(variables.secretPrefix, 'arn:');
    expect(requiredVariable(variables.secretPrefix)).toBe('arn:');
  });

  it.each([undefined, ''])('requiredVariable refuses %j and names the variable', (value) => {
    vi.stubEnv(variables.secretPrefix, value);
    expect(() => requiredVariable(variables.secretPrefix)).toThrow(
      'The environment variable SECRET_PREFIX is not set.',
    );
  });

  it.each([
    ['30', 30],
    ['', undefined],
    [undefined, undefined],
  ])('optionalNumberVariable reads %j as %j', (value, number) => {
    vi.stubEnv(tables.BalanceSnapshots.expiry.variable, value);
    expect(optionalNumberVariable(tables.BalanceSnapshots.expiry.variable)).toBe(number);
  });
});
