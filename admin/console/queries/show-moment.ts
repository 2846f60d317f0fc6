import type { DatabaseSync } from 'node:sqlite';
import { showFindingsAt } from '../../stock/checks/findings/show-findings.ts';
import { readVersion } from '../../stock/database/meta.ts';
import type { TableParameters } from './table-window.ts';

type Asked = { kind: string; name?: string; parameters?: TableParameters };

const WITH_FINDINGS = ['overview', 'choices', 'findings', 'warehouses'];

const shown = new WeakMap<DatabaseSync, string>();

/** Makes the findings of a connection those of the moment in an address, because checking again takes a while. */
export const showMoment = (db: DatabaseSync, { kind, name = '', parameters = {} }: Asked) => {
  const { at, finding } = parameters;
  if (![kind, name].some((asked) => WITH_FINDINGS.includes(asked)) && finding === undefined) return;
  const wanted = at === undefined ? '' : `${Date.parse(at)} ${readVersion(db)}`;
  if ((shown.get(db) ?? '') === wanted) return;
  // It may end midway.
  shown.set(db, 'nothing');
  showFindingsAt(db, at === undefined ? undefined : Date.parse(at));
  shown.set(db, wanted);
};
