import { HTTPException } from 'hono/http-exception';
import { Failure, messageOf, WrongUsage } from '../text/failure.ts';
import { type Message, type StepWords, toText } from '../text/message.ts';

/** A process sends this in place of an error, because an error loses its class on the way. */
export type ErrorResponse = Pick<HTTPException, 'status' | 'message'>;

export const toErrorResponse = (error: unknown): ErrorResponse =>
  error instanceof HTTPException
    ? { status: error.status, message: error.message }
    : { status: statusOf(error), message: inWordsOfPage(messageOf(error)) };

const statusOf = (error: unknown) => {
  if (error instanceof Failure || error instanceof WrongUsage) return 400;
  if (!(error instanceof Error)) return 500;
  // Compares the name, because an import of the class would load a part of the SDK. Each query would wait for this part.
  if (error.name === 'StorageUnavailable') return 503;
  // The SDK sets `$fault` on all error responses of a service.
  return '$fault' in error ? 502 : 500;
};

const CONTROLS: StepWords = {
  seeClients: () => 'The page Clients',
  seeClient: () => 'The page Clients',
  addClient: () => '"Add a client"',
  unlockClient: () => '"Unlock"',
  setClient: () => 'press "Edit" in the row',
  replacePassword: () => '"Replace a lost password"',
  share: () => 'choose "Share a slot if none is free" under Limits',
  chooseSign: (sign) => `choose the decimal sign "${sign}"`,
  sign: (sign) => `"${sign}"`,
};

export const inWordsOfPage = (message: Message) => toText(message, CONTROLS);
