import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  FilterPattern,
  type IFilterPattern,
  type LogGroup,
  type MetricFilterOptions,
} from 'aws-cdk-lib/aws-logs';
import {
  operationLabel,
  type ServiceMetricName,
  type ServiceMetrics,
} from '../monitoring/service-metrics.ts';

/**
 * One line for each request. It has no query, body or path of a client. Its only header is the user agent, which names
 * old programs.
 * `$context.error.message` is left out, because it repeats the Authorization header where the gateway reads a signature.
 */
export const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    extendedRequestId: AccessLogField.contextExtendedRequestId(),
    requestTime: AccessLogField.contextRequestTime(),
    client: AccessLogField.contextAuthorizer('client'),
    operation: `${AccessLogField.contextHttpMethod()} ${AccessLogField.contextResourcePath()}`,
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
    responseBytes: AccessLogField.contextResponseLength(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    tlsVersion: '$context.tlsVersion',
    cipherSuite: '$context.cipherSuite',
    userAgent: AccessLogField.contextIdentityUserAgent(),
    errorType: AccessLogField.contextErrorResponseType(),
    authorizerError: AccessLogField.contextAuthorizerError(),
    integrationError: '$context.integration.error',
    traceId: AccessLogField.contextXrayTraceId(),
  }),
);

const { all, any, stringValue } = FilterPattern;
const statusIs = (...statuses: string[]) =>
  any(...statuses.map((status) => stringValue('$.status', '=', status)));

/** The client is "-" if the gateway refused the request before it checked the credentials. */
const hasClient = stringValue('$.client', '!=', '-');
const hasNoClient = stringValue('$.client', '=', '-');

const byClient = { dimensions: { client: '$.client' } };

/**
 * Counts answers from the access log. No function sees them all, since the gateway refuses some requests by itself,
 * and the gateway's own metrics have neither exact statuses nor clients.
 */
export const countFromAccessLog = (accessLog: LogGroup, { namespace }: ServiceMetrics) => {
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
  count('RefusedBatches', all(isBatch, statusIs('400', '413', '415'), hasClient), byClient);
  count('LimitedRequests', all(isLimited, hasClient), byClient);
  count('TooManyRequests', all(isLimited, hasNoClient));
};
