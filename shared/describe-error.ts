/** Returns only what is safe to log. An error's other properties may hold a request, and a parser's message quotes its input. */
export const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { name: 'NotAnError', message: typeof error };
  if (error instanceof SyntaxError) return { name: error.name, message: 'A text could not be parsed.' };
  return { name: error.name, message: error.message, ...(error.stack ? { stack: error.stack } : {}) };
};
