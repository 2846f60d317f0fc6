import fc from 'fast-check';

/** Replaces fast-check's unit `binary`, which takes nearly a second to build in each process. */
export const anyCharacter = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));
