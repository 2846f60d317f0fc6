/** An error that the person at the terminal can correct. Only its message is printed. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
