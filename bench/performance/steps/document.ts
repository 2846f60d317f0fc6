import { count, numbersTable, percent, significant } from '../../harness/markdown.ts';
import { told } from '../spread.ts';
import type { Measured, Way } from './steps.ts';
import { OURS } from './ways.ts';

const LIST = 'list';
const inWords: Record<string, string> = {
  parse: 'Read the JSON',
  validate: 'Check the entries',
  convert: 'Make items of them',
  send: 'Serialise and sign',
  [LIST]: 'Make rows for a list',
};
const ofBatch = Object.keys(inWords).filter((step) => step !== LIST);

type Size = Measured['sizes'][number];

const msOf = ({ ways }: Size, step: string, way: string) => {
  const found = ways.find((each) => each.step === step && each.way === way);
  if (!found) throw new Error(`Nothing was measured of: ${step}, ${way}.`);
  return found.ms.median;
};

const ofOurs = (size: Size) => ofBatch.reduce((sum, step) => sum + msOf(size, step, OURS), 0);

export const document = ({ sizes, first }: Measured) => {
  const largest = sizes.at(-1);
  if (!largest) throw new Error('No batch was measured.');
  const row = ({ step, way }: Way) => [
    way === OURS ? `**${inWords[step]}**` : `${inWords[step]}: ${way}`,
    ...sizes.map((size) => significant(msOf(size, step, way))),
    way === OURS ? '' : percent(msOf(largest, step, OURS) / msOf(largest, step, way)),
  ];
  const isOfBatch = ({ step }: Way) => step !== LIST;
  const sum = ['**All four, ours**', ...sizes.map((size) => significant(ofOurs(size))), ''];
  const rows = [
    ...largest.ways.filter(isOfBatch).map(row),
    sum,
    ...largest.ways.filter((way) => !isOfBatch(way)).map(row),
  ];
  const heads = ['', ...sizes.map(({ entries }) => `${count(entries)}, ms`), 'Ours, of it'];

  return `## The steps of a batch, and of a list

The same steps by themselves, each in our way (**bold**) and in those that were in its place before or were tried, in turn, in a process that has
done them often; medians, in milliseconds, by the number of entries or rows. Sending ends here with the signature, and garbage is collected
between the measurements; a whole request has all that in it. The last column compares at the largest number.

${numbersTable(heads, rows)}

Of the four steps of ours with ${count(largest.entries)} entries, ${shares(largest)}.

The first time is another matter: nothing is compiled then. A batch of ${count(first.entries)} entries in ${count(first.starts)} processes each that have loaded, and done
nothing else yet:

${numbersTable(
  ['The first time', 'Ours, ms', 'Before, ms'],
  first.steps.map(({ step, ours, before }) => [inWords[step] ?? step, told(ours), told(before)]),
)}

*Before* are middy's body parser, the schema, the document client and the SDK's log. Functions made of the schema were never in use: they say only
whether a batch is valid. [validate.ts](../shared/schemas/validate.ts) also explains every fault.
`;
};

const shares = (size: Size) =>
  ofBatch
    .map((step) => ({ step, share: msOf(size, step, OURS) / ofOurs(size) }))
    .toSorted((one, other) => other.share - one.share)
    .map(({ step, share }) => `${percent(share)} are to ${asVerb(inWords[step] ?? step)}`)
    .join(', ');

const asVerb = (words: string) => words.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
