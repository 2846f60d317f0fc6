import type { DatabaseSync } from 'node:sqlite';
import { showFindings } from '../../stock/checks/show-findings.ts';
import { readVersion } from '../../stock/database/meta.ts';
import type { TableParameters } from './table-window.ts';

type MomentRequest = { kind: string; name?: string; parameters?: TableParameters };

/** The kinds of requests and the tables that need findings. */
const WITH_FINDINGS = ['overview', 'choices', 'findings', 'warehouses'];

const current = new WeakMap<DatabaseSync, string>();

/** Checks the stock as of the moment in an address. A check takes a while, so it runs only if a request needs findings. */
export const switchMoment = (db: DatabaseSync, { kind, name = '', parameters = {} }: MomentRequest) => {
  const { at, finding } = parameters;
  if (!WITH_FINDINGS.includes(kind) && !WITH_FINDINGS.includes(name) && finding === undefined) return;
  const wanted = at === undefined ? '' : `${Date.parse(at)} ${readVersion(db)}`;
  // A new connection has the findings of the latest stock.
  if ((current.get(db) ?? '') === wanted) return;
  // If the check fails midway, the next request checks again.
  current.set(db, 'nothing');
  showFindings(db, at === undefined ? undefined : { at: new Date(at).toISOString() });
  current.set(db, wanted);
};
