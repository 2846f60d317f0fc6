import { count, numbersTable, textTable } from '../../harness/markdown.ts';
import { told } from '../spread.ts';
import type { Measured, Tried } from './experiments.ts';

export const document = (measured: Measured) => {
  const { runs, entries, delayMs, aheadMs, deployed, again, variants, early } = measured;
  const row = (each: Tried, more: string, why: string) => [
    each.name,
    count(each.bytes / 1_000),
    told(each.loadMs),
    told(each.firstMs),
    more,
    why,
  ];
  const heads = ['', 'Bundle, KB', 'Load, ms', 'First, ms', 'Answered later by, ms', ''];
  const variantsThat = (are: boolean) =>
    variants.filter(({ inUse }) => inUse === are).map((each) => row(each, signed(each.moreMs), each.because));

  return `## What was done for it, and what was not

The function for batches as it is deployed, and the same with something undone or added: ${runs} new processes each, which load it and then
serve a batch of ${entries} entries, with the table ${delayMs} ms away over TLS. *Answered later* is the median of the difference in the time from the beginning
of the loading to the first answer, round by round. The same bundle once more differs by ${count(Math.abs(again.moreMs), 1)} ms; what is not more than that says nothing.

Something **undone** that is in use:

${textTable(heads, [row(deployed, '', ''), row(again, signed(again.moreMs), ''), ...variantsThat(true)])}

What a batch takes longer without the short way past its schema, with the document client, with the SDK's log or with the body parser's own
way to read JSON stands with [the steps](#the-steps-of-a-batch-and-of-a-list); what one segment or eight would do to a list, with [the lists](#lists-up-to-the-limit-and-past-it).

Something **added** that was tried and left out:

${textTable(heads, variantsThat(false))}

A connection that is opened as soon as the function has loaded, by a request to the table's service that is made like any other, sent without
a signature and not answered with anything of use:

${numbersTable(
  ['First request', 'Without: first, ms', 'Answered, ms', 'With: first, ms', 'Answered, ms'],
  [
    ['comes at once', ...pair(deployed), ...pair(early.waiting)],
    [`comes ${aheadMs} ms after loading`, ...pair(early.deployedAhead), ...pair(early.ahead)],
  ],
)}

A process that a request waits for ${answers(early.waiting)}; one that is started ahead of its first request ${answers(early.ahead)}, as long as
the table's side has not closed a connection on which nothing came.
`;
};

const signed = (ms: number) => `${ms > 0 ? '+' : ''}${count(ms, 1)}`;
const pair = ({ firstMs, answeredMs }: Tried) => [told(firstMs), count(answeredMs.median, 1)];

const answers = ({ moreMs }: Tried) =>
  `answers ${count(Math.abs(moreMs), 1)} ms ${moreMs > 0 ? 'later' : 'sooner'} with it`;
