import { HOUR_MS } from '../cli/time.ts';

/**
 * Agrees with the alarm of silence, which looks at whole hours and so goes off within the next hour. Undefined where
 * the deployment does not say after how many hours a client is late. The page of the console uses it too.
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
