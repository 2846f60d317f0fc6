import type { Marked } from '../../../../text/marked.ts';
import { joinNames } from '../../../../text/words.ts';
import type { PlanReview, ShownValue, WriteResult } from '../../../api.ts';
import { Notice } from '../../components/controls.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { formatNumber } from '../../format.ts';
import { type DraftRow, kindOf, nameOf, wrongFirst } from './draft.ts';
import type { Editing } from './use-editing.ts';

/** A screen reader also reads the names of marked letters. */
export const WarningNotice = ({ warning }: { warning: Marked }) => (
  <Notice>
    <strong>Warning:</strong>{' '}
    {warning.map((part) =>
      typeof part === 'string' ? (
        part
      ) : (
        <mark key={part.letter} title={part.name}>
          {part.letter}
          <span class="hidden"> ({part.name})</span>
        </mark>
      ),
    )}
  </Notice>
);

export const columnsOf = (identifierName: string): Column<PlanReview['changes'][number]>[] => [
  { title: 'Kind', kind: 'word', cell: ({ kind }) => <span class="mark">{kind}</span> },
  { title: identifierName, kind: 'head', cell: ({ identifier }) => identifier },
  { title: 'Attribute', cell: ({ attribute }) => attribute },
  { title: 'Before', cell: ({ before }) => before && <del>{textOf(before)}</del> },
  { title: 'After', cell: ({ after }) => textOf(after) },
];

const LISTED_ROWS = 100;

/** Marks the rows that have a wrong identifier, among those that the console refuses. */
export const WrongRows = ({ editing }: { editing: Editing | undefined }) =>
  editing &&
  editing.issues.size > 0 && (
    <DataTable<DraftRow>
      caption="The rows of these changes"
      columns={[
        { title: 'Kind', kind: 'word', cell: (row) => <span class="mark">{kindOf(row)}</span> },
        { title: editing.key, kind: 'head', cell: nameOf },
        { title: 'Cannot be written', cell: ({ identifier }) => editing.issues.get(identifier) },
      ]}
      rows={wrongFirst(editing).slice(0, LISTED_ROWS)}
      count={editing.draft.rows.size}
      classOf={({ identifier }) => (editing.issues.has(identifier) ? 'wrong' : '')}
    />
  );

const textOf = (value: ShownValue) => (typeof value === 'string' ? value : formatNumber(value.number));

type Counts = Pick<PlanReview, 'added' | 'changed' | 'renamed' | 'removed'>;

const partsOf = ({ added, changed, renamed, removed }: Counts) =>
  Object.entries({ added, changed, renamed, removed });

export const totalOf = (counts: Counts | undefined) =>
  counts ? partsOf(counts).reduce((sum, [, count]) => sum + count, 0) : 0;

export const describeState = (isBusy: boolean, plan?: PlanReview, written?: WriteResult) =>
  isBusy ? 'One moment…' : [describe('To write', plan), describe('Written', written)];

/** `Written: 1 added, 3 changed and 2 removed.` */
const describe = (label: string, counts: Counts | undefined) => {
  if (!counts) return undefined;
  const parts = partsOf(counts).filter(([, count]) => count > 0);
  const words = parts.map(([kind, count]) => `${formatNumber(count)} ${kind}`);
  return `${label}: ${words.length > 0 ? joinNames(words) : 'nothing'}.`;
};
