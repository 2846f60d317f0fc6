import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { operationLabel, type ServiceMetrics } from '../monitoring/service-metrics.ts';

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

const { all, any, stringValue } = FilterPattern;
const statusIs = (...statuses: string[]) =>
  any(...statuses.map((status) => stringValue('$.status', '=', status)));

/**
 * What no function sees as a whole: the gateway refuses by itself what is too large or packed wrongly, and tells of
 * its answers by class alone.
 */
export const countFromAccessLog = (accessLog: LogGroup, { namespace }: ServiceMetrics) => {
  accessLog.addMetricFilter('ErrorAnswers', {
    filterPattern: statusIs('4*', '5*'),
    metricNamespace: namespace,
    metricName: 'ErrorAnswers',
    metricValue: '1',
    dimensions: { status: '$.status' },
  });
  accessLog.addMetricFilter('RefusedBatches', {
    filterPattern: all(
      stringValue('$.operation', '=', operationLabel('post-material-stock-balance')),
      statusIs('400', '413', '415'),
      // Of strangers, and of what is turned away before credentials are looked at.
      stringValue('$.client', '!=', '-'),
    ),
    metricNamespace: namespace,
    metricName: 'RefusedBatches',
    metricValue: '1',
    dimensions: { client: '$.client' },
  });
};
