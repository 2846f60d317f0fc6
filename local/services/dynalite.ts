import type { IncomingHttpHeaders, Server } from 'node:http';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';

/* Dynalite brings no types, so these describe it. */

type Dynalite = (options: { path: string | undefined; createTableMs: 0; deleteTableMs: 0 }) => Server;
type Item = Record<string, object>;
/** The arguments of a comparison are paths, functions and values. The arguments of AND, OR and NOT are expressions. */
type Expression = { type: string; args: (Expression | string[] | object)[] };
type Database = {
  checkConditional(input: { _condition?: { expression: Expression } }, item?: Item): unknown;
  mapPath(path: string[], item: Item): object | undefined;
};

const require = createRequire(import.meta.url);
const database: Database = require('dynalite/db');
const { checkConditional, mapPath } = database;

const isExpression = (arg: object): arg is Expression => 'args' in arg;

/** Dynalite compares maps and lists by identity. So arguments of equal value are replaced with one of them, and are then identical. */
const unifyEqualArguments = (expression: Expression, item: Item) => {
  const { args } = expression;
  const resolve = (arg: object) => (Array.isArray(arg) ? mapPath(arg, item) : arg);
  for (const arg of args) if (isExpression(arg)) unifyEqualArguments(arg, item);
  expression.args = args.map(
    (arg) => args.find((candidate) => isDeepStrictEqual(resolve(candidate), resolve(arg))) ?? arg,
  );
};

database.checkConditional = (input, item = {}) => {
  if (input._condition) unifyEqualArguments(input._condition.expression, item);
  return checkConditional(input, item);
};

/** Opens the data in the folder, or in memory. Returns a function that sends a request to dynalite. */
export const openDynalite = (path: string | undefined) => {
  const dynalite: Dynalite = require('dynalite');
  const [handle] = dynalite({ path, createTableMs: 0, deleteTableMs: 0 }).listeners('request');

  /** Dynalite gets a copy of the request. With the original, a disconnect of the caller would end the process. */
  return (headers: IncomingHttpHeaders, body: string) =>
    new Promise<{ status: number; body: string }>((resolve) => {
      const request = Object.assign(Readable.from([Buffer.from(body)]), {
        method: 'POST',
        headers,
        url: '/',
      });
      const response = {
        statusCode: 200,
        setHeader: () => {},
        end: (text = '') => resolve({ status: response.statusCode, body: text }),
      };
      handle?.(request, response);
    });
};

export type Send = ReturnType<typeof openDynalite>;
