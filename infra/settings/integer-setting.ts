import * as v from 'valibot';

export const integerSetting = (what: string, from: number, to: number) =>
  v.pipe(
    v.number(`${what} has to be a number.`),
    v.integer(`${what} has to be a whole number.`),
    v.minValue(from, `${what} has to be ${from} or more.`),
    v.maxValue(to, `${what} has to be ${to} or less.`),
  );
