/** Leaves out what is not safe to log: other properties may hold a request, and the message of a parser quotes its input. */
export const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { name: 'NotAnError', message: typeof error };
  if (error instanceof SyntaxError) return { name: error.name, message: 'A text could not be parsed.' };
  return { name: error.name, message: error.message, ...(error.stack ? { stack: error.stack } : {}) };
};
