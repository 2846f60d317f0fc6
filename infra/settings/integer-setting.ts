import * as v from 'valibot';

export const integerSetting = (label: string, from: number, to: number) =>
  v.pipe(
    v.number(`${label} must be a number.`),
    v.integer(`${label} must be a whole number.`),
    v.minValue(from, `${label} must be ${from} or more.`),
    v.maxValue(to, `${label} must be ${to} or less.`),
  );
