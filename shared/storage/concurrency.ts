/**
 * Each worker takes the next item until the queue is empty. If the work on an item fails, all other work is aborted, and this
 * function waits for its end. So no work runs on afterwards, and the caller can count the finished items.
 */
export const forEachConcurrently = async <T>(
  workerCount: number,
  queue: IterableIterator<T>,
  work: (item: T, signal: AbortSignal) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> => {
  const failure = new AbortController();
  const workSignal = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  const workers = Array.from({ length: workerCount }, async () => {
    for (const item of queue) await work(item, workSignal);
  });
  try {
    await Promise.all(workers);
  } catch (error) {
    failure.abort();
    await Promise.allSettled(workers);
    throw error;
  }
};
