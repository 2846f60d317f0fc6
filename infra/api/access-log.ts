import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  FilterPattern,
  type IFilterPattern,
  type LogGroup,
  type MetricFilterOptions,
} from 'aws-cdk-lib/aws-logs';
import { operationLabel, type ServiceMetricName, type ServiceMetrics } from '../service-metrics.ts';
import type { Settings } from '../settings/settings.ts';

// The log has no header, query, body or path that a client sent: a stranger could make its lines very long.
// The log has no `$context.error.message`. It repeats an Authorization header that the gateway reads as a signature.
export const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextExtendedRequestId(),
    requestTime: AccessLogField.contextRequestTime(),
    client: AccessLogField.contextAuthorizer('client'),
    batchesAwaited: AccessLogField.contextAuthorizer('batchesAwaited'),
    operation: `${AccessLogField.contextHttpMethod()} ${AccessLogField.contextResourcePath()}`,
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
    responseBytes: AccessLogField.contextResponseLength(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    tlsVersion: '$context.tlsVersion',
    cipherSuite: '$context.cipherSuite',
    errorType: AccessLogField.contextErrorResponseType(),
    firewall: `${AccessLogField.contextWafStatus()} ${AccessLogField.contextWafError()}`,
    authorizer: `${AccessLogField.contextAuthorizerStatus()} ${AccessLogField.contextAuthorizerError()}`,
    integration: `${AccessLogField.contextIntegrationStatus()} $context.integration.error`,
  }),
);

const { all, any, stringValue } = FilterPattern;
const statusIs = (...statuses: string[]) =>
  any(...statuses.map((status) => stringValue('$.status', '=', status)));

const byClient = { dimensions: { client: '$.client' } };

// These metrics need the access log: no function sees a request that the gateway refuses, and the gateway's own metrics
// have no client and no exact status.
export const countFromAccessLog = (
  accessLog: LogGroup,
  { namespace }: ServiceMetrics,
  { hoursWithoutRequests }: Settings['alarms'],
) => {
  const count = (
    metricName: ServiceMetricName,
    filterPattern: IFilterPattern,
    by: Pick<MetricFilterOptions, 'dimensions'> = {},
  ) =>
    accessLog.addMetricFilter(metricName, {
      filterPattern,
      metricNamespace: namespace,
      metricName,
      metricValue: '1',
      ...by,
    });
  const isBatch = stringValue('$.operation', '=', operationLabel('post-material-stock-balance'));
  const isLimited = statusIs('429');
  const isAwaited = stringValue('$.batchesAwaited', '=', 'true');
  count('RefusedBatches', all(isBatch, statusIs('400', '413', '415'), isAwaited), byClient);
  // The client is "-" if the credentials are wrong, or if the gateway refused the request before it checked them.
  const hasClient = stringValue('$.client', '!=', '-');
  count('LimitedRequests', all(isLimited, hasClient), byClient);
  count('TooManyRequests', all(isLimited, stringValue('$.client', '=', '-')));
  if (hoursWithoutRequests !== undefined) count('ClientRequests', hasClient);
};
