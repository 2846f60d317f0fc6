import { type Column, DataTable } from '../components/data-table.tsx';
import type { Model } from '../model.ts';
import { hrefTo } from '../route.ts';

type Finding = Model['data']['findings'][number];

export const FindingsPage = ({ model }: { model: Model }) => {
  const columns: Column<Finding>[] = [
    {
      title: 'Subject',
      kind: 'head',
      cell: ({ subject }) =>
        model.hasMaterial(subject) ? <a href={hrefTo('materials', [subject])}>{subject}</a> : subject,
    },
    { title: 'Client', kind: 'word', cell: ({ client }) => client },
    { title: 'Detail', kind: 'prose', cell: ({ detail }) => detail },
  ];
  return <DataTable caption="Findings of the check" columns={columns} rows={model.data.findings} />;
};
