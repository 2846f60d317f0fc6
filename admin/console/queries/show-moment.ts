import type { DatabaseSync } from 'node:sqlite';
import { showFindingsAt } from '../../stock/checks/findings/show-findings.ts';
import { readVersion } from '../../stock/database/meta.ts';
import type { TableParameters } from './table-window.ts';

type MomentRequest = { kind: string; name?: string; parameters?: TableParameters };

const WITH_FINDINGS = ['overview', 'choices', 'findings', 'warehouses'];

const shown = new WeakMap<DatabaseSync, string>();

/** Checks the stock as of the moment in an address. A check takes a while, so it runs only if the findings are shown. */
export const showMoment = (db: DatabaseSync, { kind, name = '', parameters = {} }: MomentRequest) => {
  const { at, finding } = parameters;
  if (!WITH_FINDINGS.includes(kind) && !WITH_FINDINGS.includes(name) && finding === undefined) return;
  const wanted = at === undefined ? '' : `${Date.parse(at)} ${readVersion(db)}`;
  // A new connection has the findings of the latest stock.
  if ((shown.get(db) ?? '') === wanted) return;
  // The check may fail midway.
  shown.set(db, 'nothing');
  showFindingsAt(db, at === undefined ? undefined : Date.parse(at));
  shown.set(db, wanted);
};
