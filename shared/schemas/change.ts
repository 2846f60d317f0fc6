import * as v from 'valibot';

const SHAPE = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}),(\d{3})Z$/;

/** `Date` reads 30 February as 2 March, and the hour 24 as the next day. */
export const isRealInstant = (iso: string) => {
  const instant = new Date(iso);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso.slice(0, 10));
};

export const Timestamp = v.pipe(
  v.string('Timestamp must be a string of the form YYYY-MM-DDThh:mm:ss,mmmZ.'),
  v.regex(
    SHAPE,
    'Timestamp must have the form YYYY-MM-DDThh:mm:ss,mmmZ: UTC, with a comma and three digits before the Z.',
  ),
  v.check(
    (text) => !SHAPE.test(text) || isRealInstant(text.replace(',', '.')),
    'Timestamp has the right form, but this date or time does not exist. Check the day of the month, the hour (00 to 23), the minute and the second (00 to 59).',
  ),
);

export const Change = v.strictObject(
  { Timestamp },
  'The body must be a JSON object with exactly one field: Timestamp.',
);
export type Change = v.InferOutput<typeof Change>;
