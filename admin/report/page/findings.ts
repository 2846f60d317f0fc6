import { counted, grouped } from '../../cli/words.ts';
import { byId, el, inputById } from './dom.ts';
import { hashOf } from './format.ts';
import { fold, type Model, matcher } from './model.ts';
import { button, createTable } from './table.ts';

export const showFindings = ({ data, rowsOf }: Model) => {
  if (data.findings.length === 0) {
    byId('findings-body').replaceChildren(el('p', { class: 'soft' }, 'The check found nothing.'));
    return;
  }
  const findings = data.findings.map((finding) => ({
    ...finding,
    haystack: fold(Object.values(finding).join('\n')),
  }));
  type Finding = (typeof findings)[number];
  const byKind = Map.groupBy(findings, ({ kind }) => kind);
  let chosen: string | undefined;
  let shown = new Map<string, Finding[]>();

  const table = createTable<Finding>({
    parent: byId('findings-rows'),
    id: 'findings-table',
    caption: 'Findings of the check, by kind',
    columns: [
      {
        title: 'Subject',
        kind: 'head',
        cell: ({ subject }) =>
          rowsOf(subject).length > 0 ? el('a', { href: hashOf(subject) }, subject) : subject,
      },
      { title: 'Client', kind: 'word', cell: ({ client }) => client },
      { title: 'Detail', kind: 'prose', cell: ({ detail }) => detail },
    ],
    groupOf: ({ kind }) => ({ name: toTitle(kind), size: shown.get(kind)?.length ?? 0 }),
  });

  const search = inputById('findings-search');
  const show = () => {
    const matches = matcher(search.value);
    const found = [...byKind.values()]
      .flat()
      .filter(({ kind, haystack }) => (chosen ?? kind) === kind && matches(haystack));
    shown = Map.groupBy(found, ({ kind }) => kind);
    table.show(found);
    const part = found.length < findings.length ? `${grouped(found.length)} of ` : '';
    byId('findings-count').textContent = part + counted(findings.length, 'finding');
  };
  const chipFor = (text: string, size: number, kind?: string) => {
    const chip = button('chip', `${text} ${grouped(size)}`, () => {
      for (const other of chips) other.ariaPressed = String(other === chip);
      chosen = kind;
      show();
    });
    chip.ariaPressed = String(kind === undefined);
    return chip;
  };
  const chips = [
    chipFor('All', findings.length),
    ...[...byKind].map(([kind, { length }]) => chipFor(toTitle(kind), length, kind)),
  ];
  byId('kinds').append(...chips);
  search.addEventListener('input', show);
  show();
};

const toTitle = (kind: string) => kind.slice(0, 1).toUpperCase() + kind.slice(1);
