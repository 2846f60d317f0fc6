import { describe, expect, it } from 'vitest';
import { Change } from '../../../shared/schemas/change.ts';
import { validate } from '../../../shared/schemas/validate.ts';

describe('Change', () => {
  it.each([
    '2026-11-21T06:48:04,123Z',
    '2024-02-29T00:00:00,000Z',
    '1999-12-31T23:59:59,999Z',
    '0001-01-01T00:00:00,000Z',
    '9999-12-31T23:59:59,999Z',
  ])('accepts the Timestamp %s as it is', (Timestamp) => {
    expect(validate(Change, { Timestamp })).toEqual({ output: { Timestamp } });
  });

  const NO_STRING = 'Timestamp must be a string of the form YYYY-MM-DDThh:mm:ss,mmmZ.';
  const FORM =
    'Timestamp must have the form YYYY-MM-DDThh:mm:ss,mmmZ: UTC, with a comma and three digits before the Z.';
  const NO_INSTANT =
    'Timestamp has the right form, but this date or time does not exist. Check the day of the month, the hour (00 to 23), the minute and the second (00 to 59).';

  it.each([
    ['a point instead of the comma', '2026-11-21T06:48:04.123Z', FORM],
    ['no fraction', '2026-11-21T06:48:04Z', FORM],
    ['two digits in the fraction', '2026-11-21T06:48:04,12Z', FORM],
    ['four digits in the fraction', '2026-11-21T06:48:04,1234Z', FORM],
    ['an offset', '2026-11-21T06:48:04,123+01:00', FORM],
    ['no Z', '2026-11-21T06:48:04,123', FORM],
    ['small letters', '2026-11-21t06:48:04,123z', FORM],
    ['a newline at the end', '2026-11-21T06:48:04,123Z\n', FORM],
    ['a word before it', 'at 2026-11-21T06:48:04,123Z', FORM],
    ['digits of another script', '٢٠٢٦-11-21T06:48:04,123Z', FORM],
    ['an empty text', '', FORM],
    ['30 February', '2026-02-30T06:48:04,123Z', NO_INSTANT],
    ['29 February in a common year', '2026-02-29T06:48:04,123Z', NO_INSTANT],
    ['month 13', '2026-13-01T06:48:04,123Z', NO_INSTANT],
    ['hour 24', '2026-11-21T24:00:00,000Z', NO_INSTANT],
    ['minute 60', '2026-11-21T06:60:04,123Z', NO_INSTANT],
    ['second 60', '2026-06-30T23:59:60,000Z', NO_INSTANT],
    ['a number', 1_795_243_684, NO_STRING],
    ['null', null, NO_STRING],
  ])('refuses a Timestamp with %s and names the right form', (_, Timestamp, detail) => {
    const listed = [{ pointer: '#/Timestamp', detail }];
    expect(validate(Change, { Timestamp })).toEqual({ faults: { count: 1, listed } });
  });

  it('refuses a body without Timestamp and names the field', () => {
    const listed = [{ pointer: '#/Timestamp', detail: 'The field Timestamp is missing.' }];
    expect(validate(Change, {})).toEqual({ faults: { count: 1, listed } });
  });

  it.each(['extra', 'constructor', 'toString', '__proto__', 'timestamp', ''])(
    'refuses the unknown field "%s" and names the known field',
    (name) => {
      const body = JSON.parse(`{"Timestamp":"2026-11-21T06:48:04,123Z",${JSON.stringify(name)}:1}`);
      const detail = 'This field is unknown. Use only Timestamp.';
      expect(validate(Change, body)).toEqual({
        faults: { count: 1, listed: [{ pointer: `#/${name}`, detail }] },
      });
    },
  );

  it.each([[null], [[]], ['text'], [1], [true]])('refuses %j, which is not an object', (body) => {
    const detail = 'The body must be a JSON object with exactly one field: Timestamp.';
    expect(validate(Change, body)).toEqual({ faults: { count: 1, listed: [{ pointer: '#', detail }] } });
  });
});
