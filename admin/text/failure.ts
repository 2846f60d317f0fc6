import { type Message, toText } from './message.ts';

export const FAILED = 1;
export const WRONG_USAGE = 2;

/** The command cannot do its work. The message says why and what to do. `text` has its steps without the words of an edge. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly text: Message;

  constructor(text: Message) {
    super(toText(text));
    this.text = text;
  }
}

export class Interrupted extends Failure {
  readonly exitCode: number;

  constructor(message: Message, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command line is wrong, so the exit code is WRONG_USAGE. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

type Explanation = (message: string, advice: string) => string;

const ADMIN_ADVICE =
  ' An admin command also takes --stack, --region, --profile, or --local for a run on this machine.';
const denied: Explanation = (message) => `These credentials are not allowed to do that: ${message}`;
const expired: Explanation = () => 'The AWS credentials have expired. Sign in again.';
const unknown: Explanation = () =>
  'AWS does not know these credentials. Sign in again, or choose another profile.';
const unreachable: Explanation = (message) => `There was no response (${message}). Check the network.`;

const explanations: Record<string, Explanation> = {
  CredentialsProviderError: (message, advice) =>
    `No AWS credentials were found (${message}). Sign in, or set AWS_PROFILE.${advice}`,
  ExpiredTokenException: expired,
  ExpiredToken: expired,
  UnrecognizedClientException: unknown,
  InvalidClientTokenId: unknown,
  AccessDeniedException: denied,
  AccessDenied: denied,
  ValidationError: (message, advice) => `${message}.${advice}`,
  SettingsError: (message) => message,
  ResourceNotFoundException: (message) =>
    `A table or a log of the deployment does not exist (${message}). Was it deleted?`,
  ECONNREFUSED: (message) =>
    `Nothing responds at this address (${message}). To start a local run: \`npm start\`.`,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  TimeoutError: unreachable,
  StorageUnavailable: (message) => `The table cannot be reached, or is too busy (${message}). Try again.`,
  ThrottlingException: (message) => `AWS throttled the call (${message}). Try again in a moment.`,
  DamagedSnapshot: (message) => message,
  DamagedClient: (message) =>
    `${message}\nRepair its attributes in the AWS console, or remove the client and add it again.`,
  ERR_SQLITE_ERROR: (message) => `The file of the stock cannot be used: ${message}.`,
  ENOENT: () => 'there is no such file or folder',
  EACCES: () => 'that is not permitted',
  EPERM: () => 'that is not permitted',
  EROFS: () => 'that is not permitted',
  EISDIR: () => 'that is a folder',
  ENOTDIR: () => 'part of the path is a file',
  ENOSPC: () => 'the disk is full',
  EFBIG: () => 'it is larger than a file can be',
};

/** The names of the cause come first, because only the cause of a lost connection has a code. */
const errorNames = (error: Error): string[] => [
  ...(error.cause instanceof Error ? errorNames(error.cause) : []),
  ...('code' in error && typeof error.code === 'string' ? [error.code] : []),
  error.name,
];

/** A message for the person at the terminal, never a stack trace. Some messages end with the `advice`. */
export const explain = (error: unknown, advice = ADMIN_ADVICE): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof WrongUsage || error instanceof Failure) return error.message;
  if (/region is missing/i.test(error.message)) {
    return `No AWS region is set. Set AWS_REGION.${advice}`;
  }
  const name = errorNames(error).find((candidate) => Object.hasOwn(explanations, candidate));
  return (name && explanations[name]?.(error.message, advice)) ?? `${error.name}: ${error.message}`;
};

/** Like `explain`, with the steps of a Failure. */
export const messageOf = (error: unknown, advice?: string): Message =>
  error instanceof Failure ? error.text : explain(error, advice);
