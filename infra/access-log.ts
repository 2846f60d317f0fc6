import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { ERROR_ANSWERS, type OwnMetrics } from './own-metrics.ts';

/** Who asked for what and how it went. No header, no query and no body, and no path beyond those that exist. */
export const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    requestTime: AccessLogField.contextRequestTime(),
    client: AccessLogField.contextAuthorizer('client'),
    operation: `${AccessLogField.contextHttpMethod()} ${AccessLogField.contextResourcePath()}`,
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
    responseBytes: AccessLogField.contextResponseLength(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    errorType: AccessLogField.contextErrorResponseType(),
    traceId: AccessLogField.contextXrayTraceId(),
  }),
);

/** Counts the answers that are no success, by status, which the gateway itself tells by class alone. */
export const countErrorAnswers = (accessLog: LogGroup, metrics: OwnMetrics) =>
  accessLog.addMetricFilter('ErrorAnswers', {
    filterPattern: FilterPattern.any(
      FilterPattern.stringValue('$.status', '=', '4*'),
      FilterPattern.stringValue('$.status', '=', '5*'),
    ),
    metricNamespace: metrics.namespace,
    metricName: ERROR_ANSWERS,
    metricValue: '1',
    dimensions: { status: '$.status' },
  });
