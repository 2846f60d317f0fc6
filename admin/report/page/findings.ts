import { counted, grouped } from '../../cli/words.ts';
import type { ReportFinding } from '../data.ts';
import { byId, el, inputById } from './dom.ts';
import { hashOf } from './link.ts';
import { type Model, matcher } from './model.ts';
import { createTable } from './table.ts';
import { folded } from './words.ts';

type Found = ReportFinding & { haystack: string };

export const showFindings = (model: Model) => {
  const { findings } = model.data;
  if (findings.length === 0) {
    byId('findings-body').replaceChildren(el('p', { class: 'empty' }, 'The check found nothing to tell.'));
    return;
  }
  const sizes = new Map<string, number>();
  for (const { kind } of findings) sizes.set(kind, 1 + (sizes.get(kind) ?? 0));
  const kinds = [...sizes.keys()];
  const all: Found[] = findings
    .map((finding) => ({ ...finding, haystack: folded(Object.values(finding).join('\n')) }))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  let chosen: string | undefined;
  const shown = new Map<string, number>();

  const table = createTable<Found>({
    table: byId('findings-table'),
    more: byId('findings-more'),
    caption: 'Findings of the check, by kind',
    columns: [
      { title: 'Subject', kind: 'head', cell: ({ subject }) => subjectCell(model, subject) },
      { title: 'Client', kind: 'word', cell: ({ client }) => client },
      { title: 'Detail', kind: 'prose', cell: ({ detail }) => detail },
    ],
    groupOf: ({ kind }) => ({ name: asTitle(kind), size: shown.get(kind) ?? 0 }),
  });

  const search = inputById('findings-search');
  const show = () => {
    const matches = matcher(search.value);
    const found = all.filter(({ kind, haystack }) => (chosen ?? kind) === kind && matches(haystack));
    shown.clear();
    for (const { kind } of found) shown.set(kind, 1 + (shown.get(kind) ?? 0));
    table.show(found);
    const isPart = found.length < all.length;
    byId('findings-count').textContent =
      (isPart ? `${grouped(found.length)} of ` : '') + counted(all.length, 'finding');
  };
  search.addEventListener('input', show);
  offerKinds(sizes, all.length, (kind) => {
    chosen = kind;
    show();
  });
  show();
};

const asTitle = (kind: string) => kind.slice(0, 1).toUpperCase() + kind.slice(1);

const subjectCell = ({ rowsOf }: Model, subject: string) =>
  rowsOf(subject).length > 0 ? el('a', { href: hashOf(subject) }, subject) : subject;

const offerKinds = (
  sizes: ReadonlyMap<string, number>,
  all: number,
  choose: (kind: string | undefined) => void,
) => {
  const chip = (kind: string | undefined, text: string, size: number) => {
    const button = el('button', {
      type: 'button',
      class: 'chip',
      'aria-pressed': String(kind === undefined),
    });
    button.append(text, ` ${grouped(size)}`);
    button.addEventListener('click', () => {
      for (const other of chips) other.setAttribute('aria-pressed', String(other === button));
      choose(kind);
    });
    return button;
  };
  const chips = [
    chip(undefined, 'All', all),
    ...[...sizes].map(([kind, size]) => chip(kind, asTitle(kind), size)),
  ];
  byId('kinds').append(...chips);
};
