/** Something that the person at the terminal can mend. Its message is all that is shown. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
