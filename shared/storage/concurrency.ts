/**
 * Each worker takes its next item from the queue until it is empty. If one `work` fails, aborts the others and waits until they
 * have ended: no call is still running after the response, and a caller can count what was finished.
 */
export const forEachConcurrently = async <T>(
  workers: number,
  queue: IterableIterator<T>,
  work: (item: T, signal: AbortSignal) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> => {
  const failed = new AbortController();
  const ending = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const tasks = Array.from({ length: workers }, async () => {
    for (const item of queue) await work(item, ending);
  });
  try {
    await Promise.all(tasks);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(tasks);
    throw error;
  }
};
