/** As it is typed, by the name or through npm. */
export const invocation =
  process.env['npm_lifecycle_event'] === 'admin' ? 'npm run admin --' : 'warehouse-admin';

/** What stands below a command's options in its help. */
export const examples = (...lines: string[]) =>
  `\nExamples:\n${lines.map((line) => `  ${invocation} ${line}`).join('\n')}\n`;
