import type { Context } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { StorageUnavailable } from '../../../shared/storage/storage-errors.ts';
import { explain, Failure, WrongUsage } from '../../text/failure.ts';
import type { ErrorMessage } from '../api.ts';
import { inConsoleWords } from './console-words.ts';

/** Responds with JSON for the page's script, and with a page for a person. */
export const respondWithProblem = (error: unknown, context: Context) => {
  const status = statusOf(error);
  const message = inConsoleWords(messageOf(error));
  if (context.req.path.startsWith('/api/')) return context.json<ErrorMessage>({ message }, status);
  const page = html`<!doctype html><html lang="en"><title>Warehouse console</title><p>${message}</p></html>`;
  return context.html(page, status);
};

const statusOf = (error: unknown) => {
  if (error instanceof HTTPException) return error.status;
  if (error instanceof Failure || error instanceof WrongUsage || isWrongInput(error)) return 400;
  if (error instanceof StorageUnavailable) return 503;
  // The SDK sets `$fault` on all error responses of a service.
  return error instanceof Error && '$fault' in error ? 502 : 500;
};

const isWrongInput = (error: unknown) => error instanceof SyntaxError || error instanceof v.ValiError;

/** The parser's own message would repeat a piece of the request. */
const messageOf = (error: unknown) => {
  if (error instanceof HTTPException) return error.message;
  return isWrongInput(error) ? 'The request is not valid. Load the page again.' : explain(error);
};
