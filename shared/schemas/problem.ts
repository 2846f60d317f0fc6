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

/** How long clients wait before they repeat a request after a 503. A throttled table recovers in this time. */
export const RETRY_AFTER_SECONDS = 5;

export const SERVICE_FAILED =
  'The service failed; send the same request again, which is always safe. Its operator finds this request by its id.';

/**
 * RFC 9457. The type is always about:blank: clients look at the status, and people read the detail. A text for several
 * statuses has none of its own.
 */
export const problem = (status: ProblemStatus | undefined, detail: string, requestId: string) => ({
  type: 'about:blank',
  ...(status ? { title: problemTitles[status], status } : {}),
  detail,
  requestId,
});

/** The count includes the faults that are not listed. */
export type Faults = { listed: readonly Fault[]; count: number };

export type Fault = { detail: string; pointer: string };

/** The client has to change the request. The message says what to send. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: ProblemStatus;
  readonly faults: Faults | undefined;

  constructor(status: ProblemStatus, detail: string, faults?: Faults) {
    super(detail);
    this.status = status;
    this.faults = faults;
  }
}

export const refuseBody = (faults: Faults) =>
  new Refusal(400, `The body was refused for ${countFaults(faults.count)}; nothing of it was kept.`, faults);

const countFaults = (count: number) => (count === 1 ? 'one fault' : `${count} faults`);
