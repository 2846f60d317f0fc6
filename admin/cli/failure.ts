export const FAILED = 1;
export const WRONG_USAGE = 2;

/** The command cannot do its work. The message says why and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The command line is wrong. The exit code is then WRONG_USAGE. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

type Explanation = (message: string) => string;

const LOCALLY = 'for a run on this machine, add --local';
const denied: Explanation = (message) => `These credentials may not do that: ${message}`;
const expired: Explanation = () => 'The AWS credentials have expired. Sign in again.';
const unknown: Explanation = () =>
  'AWS does not know these credentials. Sign in again, or choose another --profile.';
const unreachable: Explanation = (message) => `Nothing answers in time (${message}). Is the network up?`;

/** By the names and codes of errors of AWS and of this machine: what happened, and what to do. */
const explanations: Record<string, Explanation> = {
  CredentialsProviderError: (message) =>
    `No AWS credentials were found (${message}). Sign in, or set AWS_PROFILE or --profile; ${LOCALLY}.`,
  ExpiredTokenException: expired,
  ExpiredToken: expired,
  UnrecognizedClientException: unknown,
  InvalidClientTokenId: unknown,
  AccessDeniedException: denied,
  AccessDenied: denied,
  ValidationError: (message) => `${message}. Give the deployment with --stack and --region; ${LOCALLY}.`,
  ResourceNotFoundException: (message) =>
    `A table or a secret of the deployment does not exist (${message}). Was it deleted?`,
  ECONNREFUSED: (message) => `Nothing answers (${message}). A local run is started with \`npm start\`.`,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  TimeoutError: unreachable,
  StoreUnavailable: (message) => `The table cannot be reached or cannot take it now (${message}). Try again.`,
  ThrottlingException: (message) => `AWS limits how often it is called (${message}). Try again in a moment.`,
  DamagedSnapshot: (message) => message,
  ENOENT: () => 'there is no such file or folder',
  EACCES: () => 'that is not permitted',
  EPERM: () => 'that is not permitted',
  EROFS: () => 'that is not permitted',
  EISDIR: () => 'that is a folder',
  ENOTDIR: () => 'part of the path is a file',
  ENOSPC: () => 'the disk is full',
  EFBIG: () => 'it is larger than files may be',
};

/** A cause comes first: that of a lost connection has the code that explains it. */
const namesOf = (error: Error): string[] => [
  ...(error.cause instanceof Error ? namesOf(error.cause) : []),
  ...('code' in error && typeof error.code === 'string' ? [error.code] : []),
  error.name,
];

/** A message for the person at the terminal, never a stack trace. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof WrongUsage || error instanceof Failure) return error.message;
  if (/region is missing/i.test(error.message)) {
    return `No AWS region is set: give --region, or set AWS_REGION; ${LOCALLY}.`;
  }
  const known = namesOf(error).find((name) => Object.hasOwn(explanations, name));
  return (known && explanations[known]?.(error.message)) ?? `${error.name}: ${error.message}`;
};
