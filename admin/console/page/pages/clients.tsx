import { DAY_MS } from '../../../../shared/time.ts';
import { formatAge } from '../../../text/time.ts';
import { joinFirstNames } from '../../../text/words.ts';
import type { ClientNotices } from '../../api.ts';
import type { CellViews } from '../components/cells.tsx';
import { Age, Notice, Waiting } from '../components/controls.tsx';
import type { Column } from '../components/data-table.tsx';
import { SearchField } from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import type { Row } from '../components/table-columns.tsx';
import { changeAddress, pick, useRoute } from '../route.ts';
import { isReadOnly } from '../source.ts';
import { useFirstRows, useStock, useStockResponse } from '../use-stock.ts';
import { ClientDialog } from './client-dialog.tsx';

export const ClientsPage = () => {
  const { parameters } = useRoute();
  const { asOf, refresh } = useStock();
  const { response, ...state } = useStockResponse<ClientNotices>('clients');
  const views = viewsAt(asOf);
  if (!response) return <Waiting response={response} {...state} />;
  const { notices, plans, damaged } = response;
  const [edited, isNew] = [parameters.get('edit'), parameters.has('add')];
  /** The dialog that is open is in the address. The page of the table stays. */
  const open = (dialog: { edit?: string | undefined; add?: string | undefined }) =>
    changeAddress({ page: parameters.get('page'), ...dialog });
  // The event `close` may come after the next dialog has opened.
  const close = (dialog: { edit: undefined } | { add: undefined }) => () => {
    open(dialog);
    refresh();
  };
  const edit: Column<Row> = {
    title: 'Edit',
    kind: 'word',
    cell: ({ cells }) => {
      const name = String(cells['Client']);
      return (
        <button type="button" class="plain" aria-label={`Edit ${name}`} onClick={() => open({ edit: name })}>
          Edit
        </button>
      );
    },
  };
  return (
    <>
      <Waiting response={response} {...state} />
      {notices.length > 0 && <Notice>{notices.join('\n')}</Notice>}
      <div class="flow bar">
        <SearchField placeholder="Client or user name" />
        {!isReadOnly && (
          <button type="button" onClick={() => open({ add: 'client' })}>
            Add a client
          </button>
        )}
        {!isReadOnly &&
          damaged.map((name) => (
            <button key={name} type="button" onClick={() => open({ edit: name })}>
              Edit {name}
            </button>
          ))}
      </div>
      <StockTable
        table="clients"
        query={pick(parameters, ['search'])}
        caption="Clients of the deployment"
        noun={['client', 'clients']}
        viewOf={({ name }) => views[name]}
        isHidden={({ name }) => HIDDEN.includes(name)}
        moreColumns={isReadOnly ? [] : [edit]}
      />
      {!isReadOnly && isNew && (
        <ClientDialog row={undefined} plans={plans} onClose={close({ add: undefined })} />
      )}
      {!isReadOnly && edited && (
        <EditDialog name={edited} plans={plans} onClose={close({ edit: undefined })} />
      )}
    </>
  );
};

type EditProps = Omit<Parameters<typeof ClientDialog>[0], 'row'> & { name: string };

/** A damaged client has no row, but an admin can lock and remove it. */
const EditDialog = ({ name, ...props }: EditProps) => {
  const { response, rows, failure, refresh } = useFirstRows('clients', { client: name });
  if (!response) return <Waiting {...{ response, failure, refresh }} />;
  return <ClientDialog row={rows?.[0] ?? { Client: name }} {...props} />;
};

/** The dialog has them. */
const HIDDEN = ['SilenceHours', 'DisplayName', 'Language', 'Contact'];

const OLD_PASSWORD_MS = 365 * DAY_MS;

const viewsAt = (asOf: number): CellViews => {
  const span = (from: number, to: number) => formatAge(new Date(from), new Date(to));
  return {
    SharedWith: ({ SharedWith }) => SharedWith && joinFirstNames(String(SharedWith).split(' ')),
    PasswordChangedAt: ({ PasswordChangedAt }) => {
      const at = Number(PasswordChangedAt);
      const age = `${span(at, asOf)} ago`;
      return asOf - at < OLD_PASSWORD_MS ? age : <span class="below">{age}: make a new password</span>;
    },
    LastChangeAt: ({ LastChangeAt }) => LastChangeAt && <Age at={Number(LastChangeAt)} />,
    PreviousUntil: ({ PreviousUntil }) => PreviousUntil && `in ${span(asOf, Number(PreviousUntil))}`,
  };
};
