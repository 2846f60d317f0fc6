import type { describeError } from '../shared/describe-error.ts';
import { requiredVariable, variables } from '../shared/environment.ts';
import { type Counts, embeddedMetrics } from '../shared/metrics.ts';
import type { StorageUnavailable } from '../shared/storage/storage-errors.ts';

const namespace = requiredVariable(variables.metricsNamespace);

type Level = 'INFO' | 'WARN' | 'ERROR';

/** The fields of a log line. No field may hold a body, a password, or a header other than the user agent. */
type LogFields = {
  requestId?: string;
  client?: string;
  operation?: string;
  userAgent?: string | undefined;
  status?: number;
  durationMs?: number;
  entryCount?: number;
  rowCount?: number;
  clientCount?: number;
  namedClientCount?: number;
  incompleteRowCount?: number | undefined;
  rule?: string;
  errorCount?: number;
  authorizationCount?: number;
  throttling?: StorageUnavailable['throttling'];
  error?: ReturnType<typeof describeError>;
};

/** Does not use console.log: Lambda would put the line into a field `message`, and queries could not use the line's fields. */
const writeAt =
  (level: Level) =>
  (code: string, fields: LogFields = {}, counts?: Counts) => {
    const now = new Date();
    const line = { timestamp: now.toISOString(), level, code, ...fields };
    const metrics = counts ? embeddedMetrics(namespace, counts, now) : {};
    process.stdout.write(`${JSON.stringify({ ...line, ...metrics })}\n`);
  };

export const log = { info: writeAt('INFO'), warn: writeAt('WARN'), error: writeAt('ERROR') };
