import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Change } from '../../../shared/schemas/change.ts';
import { explainFaults } from '../../../shared/schemas/schema-faults.ts';

const isTaken = (Timestamp: unknown) => v.safeParse(Change, { Timestamp }).success;

describe('a change that is taken', () => {
  it.each([
    '2026-11-21T06:48:04,123Z',
    '2024-02-29T00:00:00,000Z',
    '1999-12-31T23:59:59,999Z',
    '0001-01-01T00:00:00,000Z',
    '9999-12-31T23:59:59,999Z',
  ])('has the timestamp %s', (timestamp) => {
    expect(v.parse(Change, { Timestamp: timestamp })).toEqual({ Timestamp: timestamp });
  });
});

describe('a change that is refused', () => {
  it.each([
    ['a point instead of the comma', '2026-11-21T06:48:04.123Z'],
    ['no fraction', '2026-11-21T06:48:04Z'],
    ['two digits in the fraction', '2026-11-21T06:48:04,12Z'],
    ['four digits in the fraction', '2026-11-21T06:48:04,1234Z'],
    ['an offset', '2026-11-21T06:48:04,123+01:00'],
    ['no Z', '2026-11-21T06:48:04,123'],
    ['small letters', '2026-11-21t06:48:04,123z'],
    ['30 February', '2026-02-30T06:48:04,123Z'],
    ['29 February in a common year', '2026-02-29T06:48:04,123Z'],
    ['month 13', '2026-13-01T06:48:04,123Z'],
    ['hour 24', '2026-11-21T24:00:00,000Z'],
    ['minute 60', '2026-11-21T06:60:04,123Z'],
    ['second 60', '2026-06-30T23:59:60,000Z'],
    ['a newline at the end', '2026-11-21T06:48:04,123Z\n'],
    ['digits of another script', '٢٠٢٦-11-21T06:48:04,123Z'],
    ['nothing in it', ''],
    ['a number', 1_795_243_684],
    ['null', null],
  ])('has %s', (_, timestamp) => {
    expect(isTaken(timestamp)).toBe(false);
    expect(explainFaults(Change, { Timestamp: timestamp })).toMatchObject({
      count: 1,
      listed: [{ pointer: '#/Timestamp' }],
    });
  });

  it('lacks its field, and is told which', () => {
    expect(explainFaults(Change, {})).toEqual({
      count: 1,
      listed: [{ pointer: '#/Timestamp', detail: 'The field Timestamp is missing.' }],
    });
  });

  it.each(['extra', 'constructor', 'toString', '__proto__', 'timestamp', ''])(
    'has the field "%s"',
    (name) => {
      const body = JSON.parse(`{"Timestamp":"2026-11-21T06:48:04,123Z",${JSON.stringify(name)}:1}`);
      expect(v.safeParse(Change, body).success).toBe(false);
      expect(explainFaults(Change, body)).toEqual({
        count: 1,
        listed: [
          {
            pointer: `#/${name}`,
            detail: 'This field is not known; what is taken is Timestamp.',
          },
        ],
      });
    },
  );

  it.each([[null], [[]], ['text'], [1], [true]])('is %j and no object', (body) => {
    expect(explainFaults(Change, body)).toMatchObject({ count: 1, listed: [{ pointer: '#' }] });
  });
});
