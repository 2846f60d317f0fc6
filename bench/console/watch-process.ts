import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** `blockMs`: the longest block of the event loop since the last message. `rssMb`: the memory of the process now. `peakMb`: its most memory so far. */
export type Health = { blockMs: number; rssMb: number; peakMb: number };

// The threads and processes that the watched process starts load this file, too, but are not watched.
if (isMainThread && process.env['WATCHED_BY'] === String(process.ppid)) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('message', () => {
    const blockMs = delay.max / 1e6;
    const peakMb = (process.resourceUsage().maxRSS * 1_024) / 1e6;
    process.send?.({ blockMs, rssMb: process.memoryUsage.rss() / 1e6, peakMb } satisfies Health);
    delay.reset();
  });
}
