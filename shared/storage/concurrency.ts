/**
 * Each worker takes the next item until the queue is empty. If one `work` fails, the others are aborted, and this function waits
 * until they have ended. So no call runs on afterwards, and the finished items can be counted.
 */
export const forEachConcurrently = async <T>(
  workers: number,
  queue: IterableIterator<T>,
  work: (item: T, signal: AbortSignal) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> => {
  const failure = new AbortController();
  const workSignal = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  const tasks = Array.from({ length: workers }, async () => {
    for (const item of queue) await work(item, workSignal);
  });
  try {
    await Promise.all(tasks);
  } catch (error) {
    failure.abort();
    await Promise.allSettled(tasks);
    throw error;
  }
};
