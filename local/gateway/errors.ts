/** The status and the x-amzn-ErrorType of each gateway error. A gateway response of the template may have another status. */
export const errorTypes = {
  ACCESS_DENIED: { status: 403, name: 'AccessDeniedException' },
  API_CONFIGURATION_ERROR: { status: 500, name: 'InternalServerErrorException' },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, name: 'AuthorizerConfigurationException' },
  AUTHORIZER_FAILURE: { status: 500, name: 'AuthorizerFailureException' },
  BAD_REQUEST_PARAMETERS: { status: 400, name: 'BadRequestException' },
  // The function has crashed, or its response does not have the form that the gateway expects.
  DEFAULT_5XX: { status: 502, name: 'InternalServerErrorException' },
  INTEGRATION_FAILURE: { status: 500, name: 'InternalServerErrorException' },
  INTEGRATION_TIMEOUT: { status: 504, name: 'InternalServerErrorException' },
  INVALID_API_KEY: { status: 403, name: 'ForbiddenException' },
  INVALID_SIGNATURE: { status: 403, name: 'InvalidSignatureException' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, name: 'MissingAuthenticationTokenException' },
  QUOTA_EXCEEDED: { status: 429, name: 'LimitExceededException' },
  REQUEST_TOO_LARGE: { status: 413, name: 'BadRequestException' },
  THROTTLED: { status: 429, name: 'TooManyRequestsException' },
  UNAUTHORIZED: { status: 401, name: 'UnauthorizedException' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, name: 'BadRequestException' },
};

export type ErrorType = keyof typeof errorTypes;

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly type: ErrorType;

  constructor(type: ErrorType) {
    super(type);
    this.type = type;
  }
}
