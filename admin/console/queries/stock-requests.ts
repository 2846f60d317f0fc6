import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { isRealInstant } from '../../../shared/schemas/change.ts';
import { readMaterial } from '../../stock/tables/material.ts';
import { readArrivals, readChoices, readOverview } from '../../stock/tables/overview.ts';
import { Failure } from '../../text/failure.ts';
import type { Arrivals, Choices, Material, Overview } from '../api.ts';
import { readStockState } from './read-state.ts';
import { switchMoment } from './switch-moment.ts';
import { readCount, readWindow, type TableParameters } from './table-window.ts';

/** Now, or the moment in the address. */
const momentOf = ({ at }: TableParameters) => (at === undefined ? Date.now() : Date.parse(at));

const Starts = v.pipe(
  v.string('Write the starts of the days in milliseconds.'),
  v.regex(/^\d{1,15}(,\d{1,15}){0,99}$/, 'Write at most 100 starts in milliseconds.'),
  v.transform((text) => text.split(',').map(Number)),
);

const responders = {
  state: (db: DatabaseSync) => readStockState(db),
  window: (db: DatabaseSync, name: string, parameters: TableParameters) => readWindow(db, name, parameters),
  count: (db: DatabaseSync, name: string, parameters: TableParameters) => readCount(db, name, parameters),
  overview: (db: DatabaseSync, _: string, parameters: TableParameters): Overview =>
    readOverview(db, momentOf(parameters)),
  arrivals: (db: DatabaseSync, _: string, parameters: TableParameters): Arrivals =>
    readArrivals(db, { at: momentOf(parameters), starts: v.parse(Starts, parameters['starts']) }),
  choices: (db: DatabaseSync): Choices => readChoices(db),
  material: (db: DatabaseSync, name: string, parameters: TableParameters): Material =>
    readMaterial(db, name, momentOf(parameters)),
};

/** What a route asks of the stock. `name` is the table or the material in the address. */
export type StockRequest = { kind: keyof typeof responders; name?: string; parameters?: TableParameters };

/** The response in JSON. */
export const respond = (db: DatabaseSync, request: StockRequest): string => {
  const { kind, name = '', parameters = {} } = request;
  return refuseWrongAddress(() => {
    switchMoment(db, request);
    return JSON.stringify(responders[kind](db, name, parameters));
  }, parameters['at']);
};

/** Runs the work. If a part of the address is wrong, throws a Failure that names the part. */
export const refuseWrongAddress = <T>(work: () => T, at?: string): T => {
  checkMoment(at);
  try {
    return work();
  } catch (error) {
    if (!(error instanceof v.ValiError)) throw error;
    throw new Failure(`The address is not valid. ${describeIssues(error.issues)}`);
  }
};

export const checkMoment = (at: string | undefined) => {
  if (at === undefined) return;
  const isInstant = v.is(v.pipe(v.string(), v.regex(/Z$/), v.isoTimestamp(), v.check(isRealInstant)), at);
  if (!isInstant)
    throw new Failure('The time in the address is not valid. Write it like 2026-03-31T09:30:00Z.');
  if (Date.parse(at) > Date.now()) throw new Failure('The time in the address is in the future.');
};

const describeIssues = (issues: readonly v.BaseIssue<unknown>[]) =>
  issues.map((issue) => `${v.getDotPath(issue) ?? 'It'}: ${issue.message}`).join(' ');
