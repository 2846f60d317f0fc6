type StartTasks<T> = (signal: AbortSignal) => Promise<T>[];

/** When one task fails, aborts the others, so that no call is still running after the response. */
export const runConcurrently = async <T>(signal: AbortSignal, start: StartTasks<T>) => {
  const failed = new AbortController();
  try {
    return await Promise.all(start(AbortSignal.any([signal, failed.signal])));
  } catch (error) {
    failed.abort();
    throw error;
  }
};

/** Also waits until aborted tasks have ended, so the caller can count what was finished. */
export const runConcurrentlyToEnd = async <T>(signal: AbortSignal, start: StartTasks<T>) => {
  let tasks: Promise<T>[] = [];
  try {
    return await runConcurrently(signal, (groupSignal) => {
      tasks = start(groupSignal);
      return tasks;
    });
  } finally {
    await Promise.allSettled(tasks);
  }
};

/** Starts the workers and returns their promises. Each worker gets its next item from the queue until it is empty. */
export const forEachConcurrently = <T>(
  workers: number,
  queue: IterableIterator<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void>[] =>
  Array.from({ length: workers }, async () => {
    for (const item of queue) await work(item);
  });
