import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { validate } from '../../../shared/schemas/validate.ts';

/** Every kind of schema that the walker knows, with transformations inside and around lists. */
const Anything = v.strictObject(
  {
    name: v.optional(v.pipe(v.string('no string'), v.trim(), v.minLength(2, 'too short')), '  by default'),
    rate: v.optional(v.pipe(v.number('no number'), v.integer('not whole'), v.minValue(1, 'too low'))),
    kind: v.union(
      [v.boolean('no boolean'), v.pipe(v.strictObject({ of: v.picklist(['a', 'b']) }, 'no object'))],
      'no kind',
    ),
    parts: v.optional(
      v.pipe(
        v.array(v.pipe(v.string('no text'), v.transform(Number)), 'no list'),
        v.description('described'),
        v.maxLength(3, 'too many'),
        // Fails on a value that is not a number, such as a damaged item.
        v.transform((numbers) => numbers.map((number) => number.toFixed(1))),
      ),
    ),
  },
  'no object',
);
const few = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 12 }, fc.jsonValue({ maxDepth: 1 }));
const anything = fc.record(
  {
    name: few(fc.string()),
    rate: few(fc.nat(9)),
    kind: few(fc.oneof(fc.boolean(), fc.constantFrom({ of: 'a' }, { of: 'c' }, { of: 'a', Extra: 1 }, {}))),
    parts: few(fc.array(few(fc.constantFrom('1', '2')), { maxLength: 4 })),
  },
  { requiredKeys: ['kind'] },
);

describe('validate', () => {
  it('returns the same output as valibot and leaves the body unchanged', () => {
    const tally = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property<[unknown]>(anything, (body) => {
        const before = structuredClone(body);
        const { success, output } = v.safeParse(Anything, body);
        const result = validate(Anything, body);
        tally[success ? 'accepted' : 'refused'] += 1;
        if (success) expect(result).toEqual({ output });
        else expect(result.issues?.count).toBeGreaterThan(0);
        expect(body).toEqual(before);
      }),
      { numRuns: 400 },
    );
    expect(Math.min(tally.accepted, tally.refused)).toBeGreaterThan(10);
  });

  it('returns the same object when nothing in it changes', () => {
    const entry = { name: 'abc', rate: 1, kind: { of: 'a' } };
    const List = v.strictObject({ list: v.array(Anything, 'no list') }, 'no object');
    const body = { list: [entry, { kind: true }] };
    expect(validate(Anything, entry).output).toBe(entry);
    const { output } = validate(List, body);
    expect(output?.list[0]).toBe(entry);
    expect(output).toEqual({ list: [entry, { kind: true, name: 'by default' }] });
    const unchanged = { list: [entry] };
    expect(validate(List, unchanged).output).toBe(unchanged);
  });

  const messages = (body: unknown) =>
    validate(Anything, body).issues?.listed.map(({ pointer, detail }) => `${pointer} ${detail}`);

  it('lists every issue in the order of the schema, then the unknown fields', () => {
    const body = { Extra: 1, parts: ['1', 2, 3, 4], kind: { of: 'c' }, rate: 0.5, name: ' x ' };
    expect(messages(body)).toEqual([
      '#/name too short',
      '#/rate not whole',
      '#/rate too low',
      expect.stringMatching(/^#\/kind\/of /),
      '#/parts/1 no text',
      '#/parts/2 no text',
      '#/parts/3 no text',
      '#/parts too many',
      '#/Extra This field is unknown. Use only name, rate, kind and parts.',
    ]);
  });

  it.each([
    [{ kind: 7 }, ['#/kind no kind']],
    [{ kind: [] }, ['#/kind no kind']],
    [{ kind: true, parts: {} }, ['#/parts no list']],
    [{ kind: true, name: null, rate: null }, ['#/name no string', '#/rate no number']],
    [{}, ['#/kind The field kind is missing.']],
    [[], ['# no object']],
  ])('reports for %j: %j', (body, expected) => {
    expect(messages(body)).toEqual(expected);
  });

  it('counts all issues and lists the first 100, or as many as maxListed', () => {
    const Many = v.strictObject({}, 'no object');
    const body = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, 1]));
    const { issues } = validate(Many, body);
    expect(issues).toMatchObject({ count: 150, listed: { length: 100 } });
    expect(issues?.listed[0]?.pointer).toBe('#/f0');
    expect(validate(Many, body, Number.POSITIVE_INFINITY).issues?.listed).toHaveLength(150);
  });

  const KNOWN = 'This field is unknown. Use only parts.';
  const named = (start: string) => `${KNOWN} Its name begins with "${start}".`;

  it.each([
    ['with a lone surrogate', '\ud800', '#/%EF%BF%BD', KNOWN],
    ['with Cyrillic letters and signs', 'Поле %', '#/%D0%9F%D0%BE%D0%BB%D0%B5%20%25', KNOWN],
    ['with a slash and a tilde', 'sl/ash~', '#/sl~1ash~0', KNOWN],
    ['of 128 characters', 'x'.repeat(128), `#/${'x'.repeat(128)}`, KNOWN],
    ['of 129 characters', `${'y'.repeat(128)}z`, '#', named('y'.repeat(128))],
    ['of a million characters', 'y'.repeat(1_000_000), '#', named('y'.repeat(128))],
    ['cut within a character', `${'y'.repeat(127)}🧱`, '#', named(`${'y'.repeat(127)}\uFFFD`)],
  ])(
    'points to an unknown field %s, or to its object if the name is too long',
    (_, name, pointer, detail) => {
      const Parts = v.strictObject({ parts: v.any() }, 'no object');
      expect(validate(Parts, { [name]: 1, parts: 1 }).issues?.listed).toEqual([{ pointer, detail }]);
    },
  );
});
