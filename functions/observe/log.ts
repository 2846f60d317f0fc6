import type { describeError } from '../../shared/describe-error.ts';
import { required, variables } from '../../shared/environment.ts';
import { type Counts, embeddedMetrics } from '../../shared/metrics.ts';

const namespace = required(variables.metricsNamespace);

type Level = 'INFO' | 'WARN' | 'ERROR';

/** What a line may say. There is no room for a header, a body or a password, and none may be made. */
type LogFields = {
  requestId?: string;
  client?: string;
  operation?: string;
  status?: number;
  durationMs?: number;
  entryCount?: number;
  faultCount?: number;
  error?: ReturnType<typeof describeError>;
};

/**
 * One JSON object a line, straight to standard output: through the console, the platform would wrap it in a
 * `message`, and the codes would be one level further down for everyone who searches for them.
 */
const writeAt =
  (level: Level) =>
  (code: string, fields: LogFields = {}, counts?: Counts) => {
    const now = new Date();
    const line = { timestamp: now.toISOString(), level, code, ...fields };
    const metrics = counts ? embeddedMetrics(namespace, counts, line, now) : {};
    process.stdout.write(`${JSON.stringify({ ...line, ...metrics })}\n`);
  };

export const log = { info: writeAt('INFO'), warn: writeAt('WARN'), error: writeAt('ERROR') };
