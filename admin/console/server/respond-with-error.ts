import type { Context } from 'hono';
import { html } from 'hono/html';
import * as v from 'valibot';
import { Failure } from '../../text/failure.ts';
import type { ErrorMessage } from '../api.ts';
import { type ErrorResponse, toErrorResponse } from '../error-response.ts';

/** The page's script gets JSON, and a person who opens the address gets a page. */
export const respondWithError = (error: unknown, context: Context) => {
  const { status, message } = isWrongInput(error) ? WRONG_INPUT : toErrorResponse(error);
  if (context.req.path.startsWith('/api/')) return context.json<ErrorMessage>({ message }, status);
  const page = html`<!doctype html><html lang="en"><title>Warehouse console</title><p>${message}</p></html>`;
  return context.html(page, status);
};

/** The values in an address, also those in its path. Refuses a wrong value with words. */
export const readAddress = <T>(schema: v.GenericSchema<unknown, T>, { req }: Context, more = {}): T => {
  const result = v.safeParse(schema, { ...req.query(), ...req.param(), ...more });
  if (result.success) return result.output;
  const issues = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
  throw new Failure(`The address is not valid. ${issues.join(' ')}`);
};

const isWrongInput = (error: unknown) => error instanceof SyntaxError || error instanceof v.ValiError;

/** The parser's own message would repeat a piece of the request. */
const WRONG_INPUT: ErrorResponse = { status: 400, message: 'The request is not valid. Load the page again.' };
