/** What stands below a command's options in its help. */
export const examples = (...lines: string[]) =>
  `\nExamples:\n${lines.map((line) => `  npm run admin -- ${line}`).join('\n')}\n`;
