import { accessLogFormat } from '../../infra/api/access-log.ts';
import type { OperationName } from '../../shared/operations.ts';
import { operations } from '../../shared/operations.ts';
import { CLIENT } from '../harness/events.ts';

const TRACE = 'Root=1-6730a1b2-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1';
const REQUEST_ID = '8f1c2a5e-3b7d-4e90-a6c4-1d2e3f405162';

/** The line that the gateway writes of a request, by the deployment's own format. */
export const accessLine = (operation: OperationName) => {
  const values: Record<string, string> = {
    requestId: REQUEST_ID,
    requestTime: '21/Nov/2026:12:34:56 +0000',
    'authorizer.client': CLIENT,
    httpMethod: operations[operation].method,
    resourcePath: operations[operation].path,
    status: '200',
    responseLatency: '142',
    integrationLatency: '96',
    responseLength: '132',
    'identity.sourceIp': '203.0.113.117',
    'error.responseType': '-',
    xrayTraceId: '1-6730a1b2-0123456789abcdef01234567',
  };
  const format = accessLogFormat.toString();
  return format.replaceAll(/\$context\.([A-Za-z.]+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The access log has a field that is not known here: ${name}.`);
    return value;
  });
};

/** What the platform logs of each invocation where a function logs JSON and sets no level for the platform's own lines. */
export const platformLines = (memoryMb: number) => [
  JSON.stringify({
    time: '2026-11-21T12:34:56.789Z',
    type: 'platform.start',
    record: { requestId: REQUEST_ID, version: '$LATEST' },
  }),
  JSON.stringify({
    time: '2026-11-21T12:34:56.889Z',
    type: 'platform.report',
    record: {
      requestId: REQUEST_ID,
      metrics: { durationMs: 98.765, billedDurationMs: 99, memorySizeMB: memoryMb, maxMemoryUsedMB: 112 },
      tracing: { spanId: '0123456789abcdef', type: 'X-Amzn-Trace-Id', value: TRACE },
      status: 'success',
    },
  }),
];
