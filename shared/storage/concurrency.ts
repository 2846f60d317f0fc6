type Start<T> = (signal: AbortSignal) => Promise<T>[];

/** Runs work side by side; where one fails, the others are called off and do not run on behind the answer. */
export const runConcurrently = async <T>(signal: AbortSignal, start: Start<T>) => {
  const failed = new AbortController();
  try {
    return await Promise.all(start(AbortSignal.any([signal, failed.signal])));
  } catch (error) {
    failed.abort();
    throw error;
  }
};

/** Likewise, and waits for those that were called off: what was told of until then is all that was done. */
export const runConcurrentlyToEnd = async <T>(signal: AbortSignal, start: Start<T>) => {
  let works: Promise<T>[] = [];
  try {
    return await runConcurrently(signal, (ending) => {
      works = start(ending);
      return works;
    });
  } finally {
    await Promise.allSettled(works);
  }
};

/** So many who share one queue: whoever is ready takes what is next. */
export const forEachConcurrently = <T>(
  count: number,
  queue: IterableIterator<T>,
  work: (each: T) => Promise<unknown>,
): Promise<void>[] =>
  Array.from({ length: count }, async () => {
    for (const each of queue) await work(each);
  });
