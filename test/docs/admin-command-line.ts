import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** The words of a command line that the admin program does not know, as a command or as an option. */
export const unknownWords = (program: CommandUnknownOpts, line: string) => {
  const words = line.split(/\s+/);
  const find = (command: CommandUnknownOpts, index: number): [CommandUnknownOpts, string[]] => {
    const next = command.commands.find((candidate) => candidate.name() === words[index]);
    return next ? find(next, index + 1) : [command, words.slice(index)];
  };
  const [command, rest] = find(program, 0);
  if (command === program || command.commands.length > 0) return [line];
  const known = new Set([...program.options, ...command.options].map(({ long }) => long));
  return rest.filter((word) => /^--[a-z]/.test(word) && !known.has(word));
};
