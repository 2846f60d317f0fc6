import { useMemo } from 'preact/hooks';
import { type Finding, type Kind, kinds, severityOf } from '../../../check/finding.ts';
import { counted, grouped } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { Chip, Choice, Search } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { formatTime } from '../format.ts';
import { fold, type Model, matcher } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { isFrozen } from '../source.ts';

export const FindingsPage = ({ model, route: { query } }: PageProps) => {
  const { findings, clients } = model.data;
  const [words, warehouse, kind] = ['q', 'warehouse', 'kind'].map((name) => query.get(name) ?? '');
  const ofKinds = useMemo(() => {
    const matches = matcher(words ?? '');
    const wanted = findings.filter(
      (finding) => (!warehouse || finding.client === warehouse) && matches(textOf(finding)),
    );
    return Map.groupBy(wanted, (finding) => finding.kind);
  }, [findings, words, warehouse]);
  const shown = [...ofKinds].flatMap(([name, ofKind]) => (!kind || name === kind ? ofKind : []));
  const chips = kindNames.filter((name) => ofKinds.has(name) || name === kind);
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
        {chips.map((name) => (
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
      <p class="soft small" role="status">
        {describeCount(shown.length, findings.length)}
      </p>
      {shown.length > 0 && (
        <DataTable caption="Findings of the check" columns={columnsOf(model)} rows={shown} />
      )}
    </>
  );
};

const kindNames = Object.keys(kinds).filter((name): name is Kind => name in kinds);

/** `unit-differs` becomes `Unit differs`. */
const titleOf = (kind: Kind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('-', ' ')}`;

const textOf = ({ kind, client, subject, detail }: Finding) =>
  fold([kind, titleOf(kind), client, subject, detail].join(' '));

const describeCount = (shown: number, all: number) => {
  if (all === 0) return 'The check found nothing wrong.';
  return shown === all ? counted(all, 'finding') : `${grouped(shown)} of ${counted(all, 'finding')}`;
};

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
    title: 'What is wrong',
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

/** Where the subject is shown: a material, a batch or a row of a list. A report has no lists. */
const hrefOf = ({ kind, client, subject }: Finding, model: Model) => {
  if (kind === 'no-snapshot') return hrefTo('batches', [client]);
  if (client !== '' && SNAPSHOT_ID.test(subject)) return hrefTo('batches', [client, subject]);
  const isOrder = kind === 'unlisted-order' || kind === 'unused-order';
  if (!isOrder && model.hasMaterial(subject)) return hrefTo('materials', [subject]);
  return isFrozen ? undefined : hrefTo('lists', [isOrder ? 'orders' : 'codes'], { q: subject });
};
