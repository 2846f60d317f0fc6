import { Failure, WrongUsage } from './failure.ts';

/** By the names that the platform's errors have: what happened, and what to do about it. */
const explanations: Record<string, (message: string) => string> = {
  CredentialsProviderError: (message) =>
    `No AWS credentials were found (${message}). Sign in, or set AWS_PROFILE or --profile. For a run on this machine, add --local.`,
  ExpiredTokenException: () => 'The AWS credentials have expired. Sign in again.',
  ExpiredToken: () => 'The AWS credentials have expired. Sign in again.',
  UnrecognizedClientException: () =>
    'AWS does not know these credentials. Sign in again, or choose another --profile.',
  InvalidClientTokenId: () =>
    'AWS does not know these credentials. Sign in again, or choose another --profile.',
  AccessDeniedException: (message) => `These credentials may not do that: ${message}`,
  AccessDenied: (message) => `These credentials may not do that: ${message}`,
  ValidationError: (message) =>
    `${message}. Give the deployment with --stack and --region; for a run on this machine, add --local.`,
  StoreUnavailable: (message) => `The table cannot be reached or cannot take it now (${message}). Try again.`,
  ECONNREFUSED: (message) => `Nothing answers (${message}). Does the local run still run?`,
};

const CONFIGURATION: [RegExp, string][] = [
  [
    /region is missing/i,
    'No AWS region is set: give --region, or set AWS_REGION. For a run on this machine, add --local.',
  ],
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
