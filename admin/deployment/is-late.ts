import { HOUR_MS } from '../cli/time.ts';

/**
 * Matches the alarm for silence, which checks whole hours and goes off within the next hour. Undefined if the
 * deployment has no such setting.
 */
export const isLate = (
  silenceHours: number | null | undefined,
  lastBatchAt: number | null | undefined,
  now: number,
) => {
  if (silenceHours == null) return undefined;
  if (silenceHours === 0) return false;
  return lastBatchAt == null || now - lastBatchAt >= silenceHours * HOUR_MS;
};
