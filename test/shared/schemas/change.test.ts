import { describe, expect, it } from 'vitest';
import { Change } from '../../../shared/schemas/change.ts';
import { validate } from '../../../shared/schemas/validate.ts';

const oneIssue = (pointer: string, detail: string) => ({
  issues: { count: 1, listed: [{ pointer, detail }] },
});

describe('Change', () => {
  it.each(['2024-02-29T00:00:00,000Z', '0001-01-01T00:00:00,000Z', '9999-12-31T23:59:59,999Z'])(
    'accepts the Timestamp %s as it is',
    (Timestamp) => {
      expect(validate(Change, { Timestamp })).toEqual({ output: { Timestamp } });
    },
  );

  const FORM =
    'Timestamp must have the form YYYY-MM-DDThh:mm:ss,mmmZ: UTC, with a comma and three digits before the Z.';
  const NO_INSTANT =
    'Timestamp has the right form, but this date or time does not exist. Check the day of the month, the hour (00 to 23), the minute and the second (00 to 59).';

  // test/interface/values.test.ts has all kinds of wrong timestamps.
  it.each([
    ['at 2026-11-21T06:48:04,123Z', FORM],
    ['2026-11-21T06:48:04,123Z\n', FORM],
    ['2026-11-21T06:48:04,123+01:00', FORM],
    ['2026-02-30T06:48:04,123Z', NO_INSTANT],
    ['2026-11-21T24:00:00,000Z', NO_INSTANT],
    [null, 'Timestamp must be a string of the form YYYY-MM-DDThh:mm:ss,mmmZ.'],
    [undefined, 'The field Timestamp is missing.'],
  ])('refuses the Timestamp %j: %s', (Timestamp, detail) => {
    expect(validate(Change, { Timestamp })).toEqual(oneIssue('#/Timestamp', detail));
  });

  it.each(['constructor', '__proto__', 'timestamp', ''])('refuses the unknown field "%s"', (name) => {
    const body = JSON.parse(`{"Timestamp":"2026-11-21T06:48:04,123Z",${JSON.stringify(name)}:1}`);
    const detail = 'This field is unknown. Use only Timestamp.';
    expect(validate(Change, body)).toEqual(oneIssue(`#/${name}`, detail));
  });

  it.each([[null], [[]], ['text'], [1], [true]])('refuses %j, which is not an object', (body) => {
    const detail = 'The body must be a JSON object with exactly one field: Timestamp.';
    expect(validate(Change, body)).toEqual(oneIssue('#', detail));
  });
});
