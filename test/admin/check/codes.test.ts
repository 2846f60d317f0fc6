import { describe, expect, test } from 'vitest';
import { entry, findingsOf } from './compared.ts';

const CYRILLIC_A = '\u0410';
const of = (client: string, ...codes: string[]) => ({ client, entries: codes.map((code) => entry(code)) });

describe('a code that the list lacks', () => {
  const find = findingsOf.bind(undefined, 'unlisted-code');
  const detail =
    'Has a balance, and the list lacks it. Add it to the list, or correct it in the warehouse system.';

  test('is found, once for each client that sends it, in order', () => {
    const latest = [of('south', 'NEW-2', 'NEW-1'), of('north', 'NEW-2', 'ABC-1')];
    expect(find({ codes: ['ABC-1'], latest })).toEqual([
      { client: 'south', subject: 'NEW-1', detail },
      { client: 'north', subject: 'NEW-2', detail },
      { client: 'south', subject: 'NEW-2', detail },
    ]);
  });

  test('is found together with the code of the list that it looks like', () => {
    const subject = `${CYRILLIC_A}BC-1`;
    expect(find({ codes: ['ABC-1'], latest: [of('north', subject)] })).toEqual([
      {
        client: 'north',
        subject,
        detail: `Has a balance, and the list lacks it; it looks like ABC-1 of the list: "${CYRILLIC_A}" (U+0410, Cyrillic) where the other has "A" (U+0041, Latin), at 1. Correct the one that is wrong.`,
      },
    ]);
  });

  test('is found together with the one that differs in upper and lower case alone', () => {
    expect(find({ codes: ['Болт-1'], latest: [of('north', 'БОЛТ-1')] })).toEqual([
      {
        client: 'north',
        subject: 'БОЛТ-1',
        detail:
          'Has a balance, and the list lacks it; it differs in upper and lower case alone from Болт-1 of the list. Correct the one that is wrong.',
      },
    ]);
  });

  test('is not compared with others that the list lacks', () => {
    expect(find({ latest: [of('north', 'ABC-1', 'abc-1')] })).toEqual([
      { client: 'north', subject: 'ABC-1', detail },
      { client: 'north', subject: 'abc-1', detail },
    ]);
  });

  test('is not found where the list has all', () => {
    expect(find({ codes: ['ABC-1', 'constructor'], latest: [of('north', 'ABC-1', 'constructor')] })).toEqual(
      [],
    );
  });
});

describe('a code of the list without a balance', () => {
  const find = findingsOf.bind(undefined, 'no-balance');
  const advice =
    'Remove it from the list if it is used no more, or let the warehouse system send it, a balance of 0 included.';

  test('is found', () => {
    expect(find({ codes: ['OLD-1', 'ABC-1'], latest: [of('north', 'ABC-1')] })).toEqual([
      {
        client: '',
        subject: 'OLD-1',
        detail: `Is in the list, and has no balance in the latest snapshot of north. ${advice}`,
      },
    ]);
  });

  test.each([
    [['north', 'south'], 'any of the latest snapshots of north and south'],
    [['a', 'b', 'c', 'd'], 'any of the latest snapshots of 4 clients'],
  ])('is found of the clients %j', (clients, words) => {
    const [found] = find({ codes: ['OLD-1'], latest: clients.map((client) => of(client, 'ABC-1')) });
    expect(found?.detail).toBe(`Is in the list, and has no balance in ${words}. ${advice}`);
  });

  test.each([
    [`${CYRILLIC_A}BC-1`, 'looks like it'],
    ['abc-1', 'differs in upper and lower case alone'],
  ])('is found together with %s', (sent, words) => {
    const [found] = find({ codes: ['ABC-1'], latest: [of('north', sent)] });
    expect(found?.detail).toBe(
      `Is in the list, and has no balance in the latest snapshot of north. ${sent}, which has one, ${words}. Correct the one that is wrong.`,
    );
  });

  test('is not found where any client has one', () => {
    expect(find({ codes: ['A', 'B'], latest: [of('north', 'A'), of('south', 'B')] })).toEqual([]);
  });

  test('is not found where nothing was ever sent', () => {
    expect(find({ codes: ['A', 'B'] })).toEqual([]);
  });
});
