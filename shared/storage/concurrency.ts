type Start<T> = (signal: AbortSignal) => Promise<T>[];

/** Aborts the others when one fails, so that none is still running after the answer. */
export const runConcurrently = async <T>(signal: AbortSignal, start: Start<T>) => {
  const failed = new AbortController();
  try {
    return await Promise.all(start(AbortSignal.any([signal, failed.signal])));
  } catch (error) {
    failed.abort();
    throw error;
  }
};

/** Also waits for the aborted ones, so that a caller's count of finished work is final. */
export const runConcurrentlyToEnd = async <T>(signal: AbortSignal, start: Start<T>) => {
  let tasks: Promise<T>[] = [];
  try {
    return await runConcurrently(signal, (aborted) => {
      tasks = start(aborted);
      return tasks;
    });
  } finally {
    await Promise.allSettled(tasks);
  }
};

export const forEachConcurrently = <T>(
  count: number,
  queue: IterableIterator<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void>[] =>
  Array.from({ length: count }, async () => {
    for (const item of queue) await work(item);
  });
