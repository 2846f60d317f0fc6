const problemTitles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const;

export type ProblemStatus = keyof typeof problemTitles;

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** RFC 7617. Some clients (.NET with Credentials) send credentials only after this challenge. */
export const CHALLENGE = 'Basic realm="warehouse-control", charset="UTF-8"';

/** Enough time for a throttled table to accept calls again. */
export const RETRY_AFTER_SECONDS = 5;

export const SERVICE_FAILED =
  'The service failed. Send the same request again: a retry is always safe. The operator can find this request by its id.';

/** The body of an error response (RFC 9457). Omit `status` if the same body is sent with several statuses. */
export const problem = (status: ProblemStatus | undefined, detail: string, requestId: string) => ({
  type: 'about:blank',
  ...(status ? { title: problemTitles[status], status } : {}),
  detail,
  requestId,
});

/** The response calls the issues `errors`, and their count `errorCount`. */
export type Issues = { listed: readonly Issue[]; count: number; rule: string };

export type Issue = { detail: string; pointer: string };

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: ProblemStatus;
  /** The first rule that the request broke, such as `StockBalance: number`, for logs. It has no value and no name that a client chose. */
  readonly rule: string;
  readonly issues: Issues | undefined;

  constructor(status: ProblemStatus, detail: string, rule: string, issues?: Issues) {
    super(detail);
    this.status = status;
    this.rule = rule;
    this.issues = issues;
  }
}

export const bodyRefusal = (issues: Issues) => {
  const errors = issues.count === 1 ? 'one error' : `${issues.count} errors`;
  return new Refusal(400, `The body has ${errors}, so nothing was stored.`, issues.rule, issues);
};
