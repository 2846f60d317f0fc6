import * as v from 'valibot';
import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import { BYTE_ORDER_MARK } from '../cli/csv.ts';
import { writeFileAtomically } from '../cli/out-file.ts';
import { type Format, type Sink, writeRows } from '../cli/output.ts';
import { say } from '../cli/terminal.ts';
import { counted } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import { UNCARRIED } from '../import/json-values.ts';
import { identifiers } from '../import/row-collector.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import { attributeNames, exportColumns, shownColumns } from './export-rows.ts';
import { sortedRows } from './table.ts';

export const exportList = async (session: Session, name: CatalogName, out: string | undefined) => {
  const items = await sortedRows(session, name);
  warn(items, name);
  const write = (sink: Sink) => writeItems(sink, session.fileFormat, items, catalogs[name].key);
  if (out === undefined) return write(session.print);
  await writeFileAtomically(out, write);
  say(`${counted(items.length, 'row')} of ${name} in ${out}.`);
};

/** Of what somebody has put into the table that no import would take. */
const warn = (items: readonly CatalogItem[], name: CatalogName) => {
  const { key } = catalogs[name];
  const refused = items.filter((item) => !v.is(identifiers[name], item[key]?.S));
  if (refused.length > 0) {
    say(`${counted(refused.length, 'row')} with a ${key} that warehouses cannot use; import will refuse it.`);
  }
  if (items.some((item) => Object.hasOwn(item, UNCARRIED))) {
    say(`An attribute named ${UNCARRIED} cannot be carried and is left out.`);
  }
};

const writeItems = async (sink: Sink, format: Format, items: readonly CatalogItem[], key: string) => {
  const names = attributeNames(items, key).filter((name) => name !== UNCARRIED);
  if (format.kind === 'csv') await sink(BYTE_ORDER_MARK);
  const columns = format.kind === 'csv' ? exportColumns : shownColumns;
  await writeRows(sink, format, columns(items, key, names), items);
};
