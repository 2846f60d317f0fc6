import { describe, expect, test } from 'vitest';
import { type Rush, simulateRush } from '../../doctor/facts/simulate-rush.ts';

/** Where the limits of AWS do not count. */
const ample = { withinSeconds: 0, executions: 5_000, readUnitsPerSecond: 1_000_000 };
const rushOf = (clients: number, more: Partial<Rush> = {}) => simulateRush({ ...ample, clients, ...more });

/** An operation that takes a whole second of the table for each request. */
const slowTable = { ms: { warm: 0, cold: 0 }, units: 1, unitsPerSecond: 1 };

describe('a rush', () => {
  test('of one client takes two cold starts, the read of the clients and the call of the operation', () => {
    const { lastAfterSeconds, ...counts } = rushOf(1);
    expect(counts).toEqual({ served: 1, servedAtFirst: 1, with500: 0, with503: 0 });
    expect(lastAfterSeconds).toBeCloseTo((208 + 6 + 210 + 6) / 1_000, 2);
  });

  test('has always the same result', () => {
    expect(rushOf(200, { executions: 100 })).toEqual(rushOf(200, { executions: 100 }));
  });

  test('serves at first as many as there are executions, and the others with a 503 after their pause', () => {
    const { lastAfterSeconds, ...counts } = rushOf(20, { executions: 10 });
    expect(counts).toEqual({ served: 20, servedAtFirst: 10, with500: 0, with503: 10 });
    expect(lastAfterSeconds).toBeGreaterThan(5);
    expect(lastAfterSeconds).toBeLessThan(5.1);
  });

  test('ends after five attempts of a client', () => {
    // In each attempt, one client is served.
    expect(rushOf(7, { executions: 1 })).toMatchObject({
      served: 5,
      servedAtFirst: 1,
      with503: 6 + 5 + 4 + 3 + 2,
    });
  });

  test('has a 500 if the authorizer has its own executions, and the next attempt needs no sign-in', () => {
    const { lastAfterSeconds, ...counts } = rushOf(4, { executions: 1, authorizerExecutions: 4 });
    expect(counts).toEqual({ served: 4, servedAtFirst: 1, with500: 3 + 2 + 1, with503: 0 });
    // The pauses of 1, 2 and 4 s, and one new process.
    expect(lastAfterSeconds).toBeCloseTo(7.23, 2);
  });

  test('starts at most 1,000 processes of a function at once', () => {
    expect(rushOf(1_500)).toMatchObject({ servedAtFirst: 1_000, with503: 500, served: 1_500 });
  });

  test('waits for up to 8 s for a table that refuses the read of the clients', () => {
    // A read costs one unit.
    expect(rushOf(20, { readUnitsPerSecond: 20 })).toMatchObject({ servedAtFirst: 20 });
    expect(rushOf(20, { readUnitsPerSecond: 1 })).toMatchObject({ servedAtFirst: 8, served: 20 });
  });

  test('reads the clients once for all requests that a process serves', () => {
    // With a read for each request, 15 would be served.
    expect(rushOf(30, { readUnitsPerSecond: 1.5, withinSeconds: 5 })).toMatchObject({ servedAtFirst: 30 });
  });

  test('calls the table of the operation for 17 s', () => {
    expect(rushOf(15, { operation: slowTable })).toMatchObject({ servedAtFirst: 15 });
    const { served, servedAtFirst, with503 } = rushOf(30, { operation: slowTable });
    expect(servedAtFirst).toBeLessThan(19);
    expect(with503).toBeGreaterThanOrEqual(30 - servedAtFirst);
    expect(served).toBe(30);
  });
});
