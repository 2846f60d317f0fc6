import type { Context } from 'hono';
import { html } from 'hono/html';
import * as v from 'valibot';
import type { ErrorMessage } from '../api.ts';
import { inConsoleWords } from '../console-words.ts';
import { type Problem, problemOf } from '../problem.ts';

/** Responds with JSON for the page's script, and with a page for a person. */
export const respondWithProblem = (error: unknown, context: Context) => {
  const { status, ...problem } = isWrongInput(error) ? WRONG_INPUT : problemOf(error);
  const message = inConsoleWords(problem.message);
  if (context.req.path.startsWith('/api/')) return context.json<ErrorMessage>({ message }, status);
  const page = html`<!doctype html><html lang="en"><title>Warehouse console</title><p>${message}</p></html>`;
  return context.html(page, status);
};

const isWrongInput = (error: unknown) => error instanceof SyntaxError || error instanceof v.ValiError;

/** The parser's own message would repeat a piece of the request. */
const WRONG_INPUT: Problem = { status: 400, message: 'The request is not valid. Load the page again.' };
