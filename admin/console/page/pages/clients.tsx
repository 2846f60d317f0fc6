import { useState } from 'preact/hooks';
import { DAY_MS } from '../../../../shared/time.ts';
import { formatAge } from '../../../text/time.ts';
import { joinFirstNames } from '../../../text/words.ts';
import type { ClientNotices } from '../../api.ts';
import type { CellViews } from '../components/cells.tsx';
import { Age, Notice, Waiting } from '../components/controls.tsx';
import type { Column } from '../components/data-table.tsx';
import { SearchField } from '../components/filters.tsx';
import { type Row, StockTable } from '../components/stock-table.tsx';
import { pick, useRoute } from '../route.ts';
import { isReadOnly } from '../source.ts';
import { useStock, useStockResponse } from '../use-stock.ts';
import { ClientDialog } from './client-dialog.tsx';

export const ClientsPage = () => {
  const { parameters } = useRoute();
  const { asOf, refresh } = useStock();
  const { response, ...state } = useStockResponse<ClientNotices>('clients');
  const [chosen, setChosen] = useState<Row | 'new'>();
  const views = viewsAt(asOf);
  if (!response) return <Waiting response={response} {...state} />;
  const { notices, plans, damaged } = response;
  const edit: Column<Row> = {
    title: 'Edit',
    kind: 'word',
    cell: (row) => (
      <button
        type="button"
        class="plain"
        aria-label={`Edit ${row.cells('Client')}`}
        onClick={() => setChosen(row)}
      >
        Edit
      </button>
    ),
  };
  const close = () => {
    setChosen(undefined);
    refresh();
  };
  return (
    <>
      <Waiting response={response} {...state} />
      {notices.length > 0 && <Notice>{notices.join('\n')}</Notice>}
      <div class="flow bar">
        <SearchField placeholder="Client or user name" />
        {!isReadOnly && (
          <button type="button" onClick={() => setChosen('new')}>
            Add a client
          </button>
        )}
        {!isReadOnly &&
          damaged.map((name) => (
            <button key={name} type="button" onClick={() => setChosen(rowOfDamaged(name))}>
              Edit {name}
            </button>
          ))}
      </div>
      <StockTable
        table="clients"
        query={pick(parameters, ['search'])}
        caption="Clients of the deployment"
        noun={['client', 'clients']}
        usualSort="Client"
        viewOf={({ name }) => views[name]}
        isHidden={({ name }) => name === 'SilenceHours'}
        moreColumns={isReadOnly ? [] : [edit]}
      />
      {chosen && (
        <ClientDialog readCell={chosen === 'new' ? undefined : chosen.cells} plans={plans} onClose={close} />
      )}
    </>
  );
};

/** The table leaves out a damaged client, but an admin can lock and remove it. */
const rowOfDamaged = (name: string): Row => ({
  key: name,
  cells: (column) => (column === 'Client' ? name : null),
});

const OLD_PASSWORD_MS = 365 * DAY_MS;

const viewsAt = (asOf: number): CellViews => {
  const span = (from: number, to: number) => formatAge(new Date(from), new Date(to));
  return {
    SharedWith: (cells) => cells('SharedWith') && joinFirstNames(String(cells('SharedWith')).split(' ')),
    PasswordChangedAt: (cells) => {
      const at = Number(cells('PasswordChangedAt'));
      const age = `${span(at, asOf)} ago`;
      return asOf - at < OLD_PASSWORD_MS ? age : <span class="below">{age}: make a new password</span>;
    },
    LastChangeAt: (cells) => {
      const at = cells('LastChangeAt');
      return at !== null && <Age at={Number(at)} />;
    },
    PreviousUntil: (cells) => {
      const until = cells('PreviousUntil');
      return until !== null && `in ${span(asOf, Number(until))}`;
    },
  };
};
