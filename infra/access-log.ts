import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

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
