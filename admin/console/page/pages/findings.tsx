import { type Finding, type Kind, severityOf } from '../../../check/finding.ts';
import { counted, grouped } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { Chip, Choice, Search } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import { formatTime } from '../format.ts';
import { fold, type Model, matcher } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { isFrozen } from '../source.ts';

export const FindingsPage = ({ model, route: { query } }: PageProps) => {
  const { findings, clients } = model.data;
  const [words, warehouse, kind] = ['q', 'warehouse', 'kind'].map((name) => query.get(name) ?? '');
  const matches = matcher(words ?? '');
  const ofWarehouse = findings.filter(({ client }) => !warehouse || client === warehouse);
  const found = ofWarehouse.filter((finding) => matches(textOf(finding)));
  const ofKinds = Map.groupBy(found, (finding) => finding.kind);
  const shown = kind ? found.filter((finding) => finding.kind === kind) : found;
  return (
    <>
      <div class="filters">
        <Search
          label="Search"
          placeholder="Code, order, warehouse or words"
          value={words ?? ''}
          onInput={(q) => replaceQuery({ q })}
        />
        <Choice
          label="Warehouse"
          all="All warehouses"
          values={clients}
          value={warehouse ?? ''}
          onChange={(name) => replaceQuery({ warehouse: name })}
        />
      </div>
      <fieldset class="chips">
        <legend class="hidden">Kind of finding</legend>
        {[...new Set(findings.map(({ kind }) => kind))].map((name) => (
          <Chip
            key={name}
            isPressed={name === kind}
            onClick={() => replaceQuery({ kind: name === kind ? undefined : name })}
          >
            <span class={`severity ${severityOf(name)}`}>{titleOf(name)}</span>{' '}
            <span class="soft">{grouped(ofKinds.get(name)?.length ?? 0)}</span>
          </Chip>
        ))}
      </fieldset>
      <div class="flow bar">
        <p class="soft small" role="status">
          {findings.length === 0
            ? 'The check found no problems.'
            : `${grouped(shown.length)} of ${counted(findings.length, 'finding')}`}
        </p>
        <Download what="all findings" path={['findings']} query={{ at: query.get('at') }} />
      </div>
      {shown.length > 0 && (
        <DataTable caption="Findings of the check" columns={columnsOf(model)} rows={shown} />
      )}
    </>
  );
};

/** `unit-differs` becomes `Unit differs`. */
const titleOf = (kind: Kind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('-', ' ')}`;

const textOf = ({ kind, client, subject, detail }: Finding) =>
  fold([kind, titleOf(kind), client, subject, detail].join(' '));

const columnsOf = (model: Model): Column<Finding>[] => [
  {
    title: 'Severity',
    kind: 'word',
    cell: ({ kind }) => <span class={`severity ${severityOf(kind)}`}>{severityOf(kind)}</span>,
  },
  { title: 'Subject', kind: 'head', cell: (finding) => <Subject finding={finding} model={model} /> },
  {
    title: 'Warehouse',
    kind: 'word',
    cell: ({ client }) => client && <a href={hrefTo('batches', [client])}>{client}</a>,
  },
  {
    title: 'Problem',
    kind: 'prose',
    cell: ({ kind, detail }) => (
      <>
        <strong>{titleOf(kind)}.</strong> {detail}
      </>
    ),
  },
];

const SNAPSHOT_ID = /^\d{4}-\d\d-\d\dT[^Z]+Z/;

const Subject = ({ finding, model }: { finding: Finding; model: Model }) => {
  const href = hrefOf(finding, model);
  const [receipt] = SNAPSHOT_ID.exec(finding.subject) ?? [];
  const name = receipt === undefined ? finding.subject : `Batch of ${formatTime(Date.parse(receipt))}`;
  return href === undefined ? name : <a href={href}>{name}</a>;
};

/** The page of the material, batch or row. A report has no lists. */
const hrefOf = ({ kind, client, subject }: Finding, model: Model) => {
  if (kind === 'no-snapshot') return hrefTo('batches', [client]);
  if (client !== '' && SNAPSHOT_ID.test(subject)) return hrefTo('batches', [client, subject]);
  const isOrder = kind === 'unlisted-order' || kind === 'unused-order';
  if (!isOrder && model.hasMaterial(subject)) return hrefTo('materials', [subject]);
  return isFrozen ? undefined : hrefTo('lists', [isOrder ? 'orders' : 'codes'], { q: subject });
};
