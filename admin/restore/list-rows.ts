import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import { type Format, writeRows } from '../cli/output.ts';
import { say } from '../cli/terminal.ts';
import type { Session } from '../deployment/session.ts';
import { type Changes, changeColumns, changeLines, printChanges } from '../lists/change-lines.ts';
import { attributeOf } from '../lists/equals-in-api.ts';
import { by } from '../store/order.ts';
import type { Item } from '../store/scan-pages.ts';
import { isSameValue } from './same-item.ts';
import type { Found } from './tally.ts';

/** What an import would do that brought these rows. */
export const toChanges = (name: CatalogName, found: readonly Found[]): Changes => {
  const rows = found
    .map(({ item, standing }) => ({
      identifier: item[catalogs[name].key]?.S ?? '',
      before: standing,
      after: item,
    }))
    .sort(by(({ identifier }) => identifier));
  return {
    added: rows.flatMap(({ identifier, before, after }) => (before ? [] : [{ identifier, after }])),
    changed: rows.flatMap(({ identifier, before, after }) =>
      before ? [{ identifier, before, after: withSame(before, after) }] : [],
    ),
    removed: [],
  };
};

/** What is the same on both sides is the very value, as in the plan of an import. */
const withSame = (before: Item, after: Item): Item =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => {
      const stands = attributeOf(before, name);
      return [name, stands && isSameValue(stands, value) ? stands : value];
    }),
  );

/** Where programs read the data, these rows stand beside the question, since the data is the counts alone. */
export const showChanges = async (session: Session, name: CatalogName, changes: Changes) => {
  if (session.format.kind === 'table') return printChanges(session, name, changes);
  const format: Format = { kind: 'table', width: process.stderr.columns || undefined };
  const sink = async (line: string) => say(line.trimEnd());
  await writeRows(sink, format, changeColumns(name, format), changeLines(name, changes));
};
