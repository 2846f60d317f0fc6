import { count, numbersTable } from '../../harness/markdown.ts';
import { told } from '../spread.ts';
import type { Measured, Tried } from './tried.ts';

export const document = ({ runs, entries, delayMs, aheadMs, deployed, variants, early }: Measured) => {
  const row = (each: Tried) => [
    each.name,
    count(each.bytes / 1_000),
    told(each.loadMs),
    told(each.firstMs),
    count(each.answeredMs.median, 1),
    each === deployed ? '' : more(each.moreMs),
  ];
  const heads = ['', 'Bundle, KB', 'Load, ms', 'First, ms', 'Answered, ms', 'More, ms'];
  const inUse = variants.filter((each) => each.inUse);
  const leftOut = variants.filter((each) => !each.inUse);
  const reasons = (all: typeof variants) => all.map(({ name, because }) => `- ${capital(name)}: ${because}.`);

  return `## What was done for it, and what was not

The function for batches as it is deployed, and the same with one thing undone or added, in turn: medians of ${runs} new processes each,
which load it and then serve a batch of ${entries} entries, with the table ${delayMs} ms away over TLS. *Answered* is from the beginning of the loading
to the first answer; *more* is the median of its difference to what is deployed, round by round.

In use; each row is what it would be **without** it:

${numbersTable(heads, [deployed, ...inUse].map(row))}

${reasons(inUse).join('\n')}

What a batch takes longer without the short way past its schema, with the document client, with the SDK's log or with the body parser's own
way to read JSON stands with [the steps](#the-steps-of-a-batch); what one segment or eight would do to a list, with [the lists](#lists-up-to-the-limit-and-past-it).

Tried and left out; each row is what it would be **with** it:

${numbersTable(heads, [deployed, ...leftOut].map(row))}

${reasons(leftOut).join('\n')}

A connection that is opened as soon as the function has loaded, by a request to the table's service that is made like any other, sent without
a signature and not answered with anything of use:

${numbersTable(
  ['First request', 'Without: first, ms', 'Answered, ms', 'With: first, ms', 'Answered, ms'],
  [
    ['comes at once', ...pair(deployed), ...pair(early.waiting)],
    [`comes ${aheadMs} ms after loading`, ...pair(early.deployedAhead), ...pair(early.ahead)],
  ],
)}

A process that a request waits for ${answers(early.waiting)}: all of it is work of one thread, and the request that
opens the connection is more of it. One that is started ahead of its first request ${answers(early.ahead)}. That is as long as the
table's side has not closed a connection on which nothing came. By its documentation the platform does start processes ahead now and then;
nearly always a request waits. With provisioned concurrency it would be worth having.
`;
};

const capital = (name: string) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase());
const more = (ms: number) => `${ms > 0 ? '+' : ''}${count(ms, 1)}`;
const pair = ({ firstMs, answeredMs }: Tried) => [told(firstMs), count(answeredMs.median, 1)];

const answers = ({ moreMs }: Tried) =>
  `answers ${count(Math.abs(moreMs), 1)} ms ${moreMs > 0 ? 'later' : 'sooner'} with it`;
