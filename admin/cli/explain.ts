import { Failure, WrongUsage } from './failure.ts';

type InWords = (message: string) => string;

const LOCALLY = 'for a run on this machine, add --local';
const denied: InWords = (message) => `These credentials may not do that: ${message}`;
const expired: InWords = () => 'The AWS credentials have expired. Sign in again.';
const unknown: InWords = () =>
  'AWS does not know these credentials. Sign in again, or choose another --profile.';
const unreachable: InWords = (message) => `Nothing answers in time (${message}). Is the network up?`;

/** By the names and codes that the errors of the platform and of this machine have: what happened, what to do. */
const explanations: Record<string, InWords> = {
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
    `What the outputs name is not there (${message}). Was the table or the secret deleted?`,
  ECONNREFUSED: (message) => `Nothing answers (${message}). A local run is started with \`npm start\`.`,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  TimeoutError: unreachable,
  StoreUnavailable: (message) => `The table cannot be reached or cannot take it now (${message}). Try again.`,
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

const CONFIGURATION: [RegExp, string][] = [
  [/region is missing/i, `No AWS region is set: give --region, or set AWS_REGION; ${LOCALLY}.`],
];

/** The name of an error, or its code where that tells more; a lost connection lies beneath what it has cost. */
const namesOf = (error: Error): string[] => [
  ...(error.cause instanceof Error ? namesOf(error.cause) : []),
  ...('code' in error && typeof error.code === 'string' ? [error.code] : []),
  error.name,
];

/** An error in words for the person at the terminal; never a stack trace. */
export const explain = (error: unknown): { message: string; isUsage: boolean } => {
  if (!(error instanceof Error)) return { message: String(error), isUsage: false };
  if (error instanceof WrongUsage) return { message: error.message, isUsage: true };
  if (error instanceof Failure) return { message: error.message, isUsage: false };
  return { message: inWords(error), isUsage: false };
};

const inWords = (error: Error) => {
  const configuration = CONFIGURATION.find(([pattern]) => pattern.test(error.message))?.[1];
  const known = namesOf(error).find((name) => Object.hasOwn(explanations, name));
  return (
    configuration ?? (known && explanations[known]?.(error.message)) ?? `${error.name}: ${error.message}`
  );
};
