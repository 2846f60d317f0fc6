/** Runs work side by side; where one fails, the others are called off and do not run on behind the answer. */
export const together = async <T>(signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>[]) => {
  const failed = new AbortController();
  try {
    return await Promise.all(start(AbortSignal.any([signal, failed.signal])));
  } catch (error) {
    failed.abort();
    throw error;
  }
};
