import { count, numbersTable, percent, significant } from '../../harness/markdown.ts';
import type { Measured, Way } from './steps.ts';
import { OURS } from './ways.ts';

const inWords: Record<string, string> = {
  parse: 'Read the JSON',
  validate: 'Check the entries',
  convert: 'Make items of them',
  send: 'Serialise and sign',
};

export const document = (measured: Measured) => {
  const largest = measured.at(-1);
  if (!largest) throw new Error('No batch was measured.');
  const msOf = ({ ways }: Measured[number], step: string, way: string) => {
    const found = ways.find((each) => each.step === step && each.way === way);
    if (!found) throw new Error(`Nothing was measured of: ${step}, ${way}.`);
    return found.ms.median;
  };
  const row = ({ step, way }: Way) => [
    way === OURS ? `**${inWords[step]}**` : `${inWords[step]}: ${way}`,
    ...measured.map((size) => significant(msOf(size, step, way))),
    way === OURS ? '' : percent(msOf(largest, step, OURS) / msOf(largest, step, way)),
  ];
  const all = (size: Measured[number]) =>
    Object.keys(inWords).reduce((sum, step) => sum + msOf(size, step, OURS), 0);
  const shares = Object.keys(inWords)
    .map((step) => ({ step, share: msOf(largest, step, OURS) / all(largest) }))
    .toSorted((one, other) => other.share - one.share);
  const sum = ['**All four, ours**', ...measured.map((size) => significant(all(size))), ''];
  const sizes = measured.map(({ entries }) => `${count(entries)}, ms`);

  return `## The steps of a batch

The same steps by themselves, each in our way and in those that were in its place before or were tried, in turn, in a process that has done
them often; medians, in milliseconds. *Send* ends with the signature; what the network and the table take is not in it.

${numbersTable(['Entries', ...sizes, 'Ours takes'], [...largest.ways.map(row), sum])}

Of the four steps of ours with ${count(largest.entries)} entries, ${shares.map(({ step, share }) => `${percent(share)} are to ${(inWords[step] ?? step).toLowerCase()}`).join(', ')}.
Functions made of the schema are the one way here that never was in use: one more way to read a schema, for less than the short way saves.
`;
};
