import { textTable } from '../harness/markdown.ts';
import type { Measured } from './measured.ts';
import { sections } from './sections.ts';

/** docs/performance.md, which holds no figure but those that were measured, and what was aimed at. */
export const documentOf = ({ date, minutes, machine, sections: measured }: Measured) => {
  const { cores, processor, node, versions } = machine;
  const aims = sections.flatMap(({ name, aims }) => aims(measured[name]));
  const head = `# How fast it is, and why

Written by \`npm run bench\`, which measures all of it anew in one run, on a machine that should do nothing else meanwhile; the last one was on
${date}, ${minutes} minutes on ${cores} cores (${processor}). \`npm run bench -- --only NAME\` measures one section and prints it: ${sections.map(({ name }) => `\`${name}\``).join(', ')}.
What is compared takes turns, in another order each round. Times are medians, with the least and the most where a spread is told; *CPU* is the
processor's time of a whole process, with all its threads. On the platform each of these times is another: compare within a table.

Node ${node.slice(1)}, ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}.

${textTable(
  ['Aim', 'Which is', 'Found', ''],
  aims.map(({ what, set, found, isMet }) => [what, set, found, isMet ? 'met' : '**missed**']),
)}

What was decided by these figures stands in [0016](decisions/0016-fast-by-leaving-out.md). *Ours* is this project's function as it is deployed. The
*floor* is a function of the SDK alone, which looks at nothing that it is sent, writes no log and ends in no answer when something fails. *Hono*
and *express* do what ours does, with zod, as far as a warehouse sees it, in one function for all four operations; they write no log or metric,
have no time limit of their own and no answer for a table that cannot be reached. They are in \`bench/peers\`.
`;
  return [head, ...sections.map(({ name, document }) => document(measured[name]))].join('\n');
};
