import type { Disturbance } from '../../local/services/aws-proxy.ts';

/** What happens to a call, and whether its service takes it although the answer does not come in time. */
export type Fault = Pick<Disturbance, 'kind' | 'delayMs'> & { isTaken: boolean };

/** The delay has to be longer than the caller waits. */
export const faultsWith = (delayMs: number): Record<string, Fault> => ({
  throttled: { kind: 'throttle', isTaken: false },
  'answered with a 5xx': { kind: 'error', isTaken: false },
  cut: { kind: 'cut', isTaken: false },
  'answered in vain': { kind: 'lose', isTaken: true },
  'answered too late': { kind: 'delay', delayMs, isTaken: true },
});

/** Of the tables, for which the store waits four seconds. */
export const faults = faultsWith(5_500);

export const disturbanceOf = (
  { isTaken: _, ...fault }: Fault,
  action: string,
  after: number,
): Disturbance => ({ ...fault, action, after });

/** Within a run one disturbance follows the other. */
export const IN_TURN = { concurrent: false };
