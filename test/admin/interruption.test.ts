import { describe, expect, test, vi } from 'vitest';
import { watchInterruption } from '../../admin/cli/interruption.ts';

const interrupt = () => process.emit('SIGINT', 'SIGINT');
const listeners = () => process.listenerCount('SIGINT');

describe('an interruption', () => {
  test('aborts once, and leaves the second signal to the process', () => {
    const before = listeners();
    const onFirst = vi.fn();
    const { signal, exitCode, stopWatching } = watchInterruption({ onFirst });
    expect({ aborted: signal.aborted, code: exitCode() }).toEqual({ aborted: false, code: undefined });
    interrupt();
    expect({ aborted: signal.aborted, code: exitCode() }).toEqual({ aborted: true, code: 130 });
    expect(onFirst).toHaveBeenCalledTimes(1);
    expect(listeners()).toBe(before);
    stopWatching();
  });

  test('with survivesSecond catches every signal until the watch ends', () => {
    const before = listeners();
    const onFirst = vi.fn();
    const { exitCode, stopWatching } = watchInterruption({ onFirst, survivesSecond: true });
    interrupt();
    interrupt();
    expect(onFirst).toHaveBeenCalledTimes(1);
    expect(exitCode()).toBe(130);
    expect(listeners()).toBe(before + 1);
    stopWatching();
    expect(listeners()).toBe(before);
  });
});
