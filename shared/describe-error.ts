/**
 * The error's own words and where it came from; never its further properties, which may hold a request. A parser's
 * words quote the text that it was given, so of those only the kind is told.
 */
export const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { name: 'NotAnError', message: typeof error };
  if (error instanceof SyntaxError) return { name: error.name, message: 'A text could not be parsed.' };
  return { name: error.name, message: error.message, ...(error.stack ? { stack: error.stack } : {}) };
};
