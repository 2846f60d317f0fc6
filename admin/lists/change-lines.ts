import { toJson } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import type { Column, Format } from '../cli/output.ts';
import type { Session } from '../deployment/session.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import { attributeOf } from './equals-in-api.ts';
import type { Plan } from './plan.ts';

/** One attribute of a row that an import, or a restore, would touch; a row without attributes has one line without any. */
type ChangeLine = {
  change: 'added' | 'changed' | 'removed';
  identifier: string;
  attribute?: string;
  before?: unknown;
  after?: unknown;
};

export type Changes = Pick<Plan, 'added' | 'changed' | 'removed'>;

type Touched = Pick<ChangeLine, 'change' | 'identifier'> & { before: CatalogItem; after: CatalogItem };

function* touched({ added, changed, removed }: Changes): Generator<Touched> {
  for (const row of added) yield { change: 'added', before: {}, ...row };
  for (const row of changed) yield { change: 'changed', ...row };
  for (const row of removed) yield { change: 'removed', ...row, after: {} };
}

export function* changeLines(name: CatalogName, changes: Changes): Generator<ChangeLine> {
  const { key } = catalogs[name];
  for (const { change, identifier, before, after } of touched(changes)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (name) => name !== key && attributeOf(before, name) !== attributeOf(after, name),
    );
    if (names.length === 0) yield { change, identifier };
    for (const attribute of names.sort()) {
      const line = { change, identifier, attribute };
      yield { ...line, ...shown('before', before, attribute), ...shown('after', after, attribute) };
    }
  }
}

const shown = (when: 'before' | 'after', item: CatalogItem, name: string) => {
  const value = attributeOf(item, name);
  return value === undefined ? {} : { [when]: toJson(value) };
};

/** In a cell, a value stands as JSON, which tells the text "7" from the number 7. */
export const changeColumns = (name: CatalogName, { kind }: Format): Column<ChangeLine>[] => {
  const valueIn = (value: unknown) =>
    kind === 'json' || value === undefined ? value : JSON.stringify(value);
  return [
    { name: 'Change', value: ({ change }) => change },
    { name: catalogs[name].key, value: ({ identifier }) => identifier },
    { name: 'Attribute', value: ({ attribute }) => attribute },
    { name: 'Before', value: ({ before }) => valueIn(before) },
    { name: 'After', value: ({ after }) => valueIn(after) },
  ];
};

export const printChanges = (session: Session, name: CatalogName, changes: Changes) =>
  session.printRows(changeColumns(name, session.format), changeLines(name, changes));
