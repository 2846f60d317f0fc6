import type { Measured } from './measured.ts';
import { sections } from './sections.ts';

/** docs/performance.md, which holds no figure but those that were measured. */
export const documentOf = ({ date, machine, sections: measured }: Measured) => {
  const { cores, processor, node } = machine;
  const head = `# How fast it is, and why

Written by \`npm run bench\`, which measures all of it anew in one run, on a machine that should do nothing else meanwhile; the last one was on
${date}, ${cores} cores (${processor}), Node ${node.slice(1)}. \`npm run bench -- --only NAME\` measures one section and prints it.
What is compared takes turns, so that a slower minute of the machine is everybody's. Times are medians, with the least and the most where a
spread is told. The platform's own machines are others: of these figures, the ratios carry over.
`;
  return [head, ...sections.map(({ name, document }) => document(measured[name]))].join('\n');
};
