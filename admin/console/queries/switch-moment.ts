import type { DatabaseSync } from 'node:sqlite';
import { showFindings } from '../../stock/checks/show-findings.ts';
import { readVersion } from '../../stock/database/meta.ts';
import type { MomentAddress } from '../addresses.ts';

const current = new WeakMap<DatabaseSync, string>();

/** Checks the stock as of the moment in an address. A check takes a while, so only requests that need findings call this. */
export const switchMoment = (db: DatabaseSync, { at }: MomentAddress) => {
  const wanted = at === undefined ? '' : `${at} ${readVersion(db)}`;
  // A new connection has the findings of the latest stock.
  if ((current.get(db) ?? '') === wanted) return;
  // If the check fails midway, the next request checks again.
  current.set(db, 'nothing');
  showFindings(db, at === undefined ? undefined : { at });
  current.set(db, wanted);
};
