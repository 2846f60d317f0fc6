import type { Context } from 'hono';
import { html } from 'hono/html';
import * as v from 'valibot';
import type { ErrorMessage } from '../api.ts';
import { inConsoleWords } from '../edits/console-words.ts';
import { type ErrorResponse, toErrorResponse } from '../error-response.ts';

/** The page's script gets JSON, and a person who opens the address gets a page. */
export const respondWithError = (error: unknown, context: Context) => {
  const response = isWrongInput(error) ? WRONG_INPUT : toErrorResponse(error);
  const { status } = response;
  const message = inConsoleWords(response.message);
  if (context.req.path.startsWith('/api/')) return context.json<ErrorMessage>({ message }, status);
  const page = html`<!doctype html><html lang="en"><title>Warehouse console</title><p>${message}</p></html>`;
  return context.html(page, status);
};

const isWrongInput = (error: unknown) => error instanceof SyntaxError || error instanceof v.ValiError;

/** The parser's own message would repeat a piece of the request. */
const WRONG_INPUT: ErrorResponse = { status: 400, message: 'The request is not valid. Load the page again.' };
