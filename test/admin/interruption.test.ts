import { expect, test, vi } from 'vitest';
import { watchInterruption } from '../../admin/cli/interruption.ts';

const listeners = () => process.listenerCount('SIGINT');

test('an interruption aborts once, and leaves the second signal to the process', () => {
  const before = listeners();
  const onFirst = vi.fn();
  const { signal, exitCode, stopWatching } = watchInterruption({ onFirst });
  expect({ aborted: signal.aborted, code: exitCode() }).toEqual({ aborted: false, code: undefined });
  process.emit('SIGINT', 'SIGINT');
  expect({ aborted: signal.aborted, code: exitCode() }).toEqual({ aborted: true, code: 130 });
  expect(onFirst).toHaveBeenCalledTimes(1);
  expect(listeners()).toBe(before);
  stopWatching();
});
