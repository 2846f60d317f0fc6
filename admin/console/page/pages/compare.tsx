import { DAY_MS } from '../../../../shared/time.ts';
import { Chip, Field, Notice, When } from '../components/controls.tsx';
import { Download } from '../components/download.tsx';
import { SearchField } from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { timeOfInput, toInput } from '../components/top-bar.tsx';
import { changeAddress, hrefTo, pick, useRoute } from '../route.ts';
import { useStock } from '../use-stock.ts';

const WEEK_MS = 7 * DAY_MS;

/** The balances of two moments over all warehouses. The whole state is in the address. */
export const ComparePage = () => {
  const { parameters } = useRoute();
  const before = parameters.get('before');
  return (
    <>
      <Moments before={before} />
      {before !== null && <Comparison before={before} />}
    </>
  );
};

const Moments = ({ before }: { before: string | null }) => {
  const { asOf } = useStock();
  const at = useRoute().parameters.get('at');
  return (
    <form
      key={`${before} ${at}`}
      class="flow bar"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        changeAddress({ before: timeOfInput(form.get('before')), at: timeOfInput(form.get('after')) });
      }}
    >
      <Field label="Before">
        <input
          type="datetime-local"
          name="before"
          required
          defaultValue={toInput(Date.parse(before ?? '') || asOf - WEEK_MS)}
        />
      </Field>
      <Field label="After (empty: now)">
        <input type="datetime-local" name="after" defaultValue={at === null ? '' : toInput(Date.parse(at))} />
      </Field>
      <button type="submit" class="primary">
        Compare
      </button>
    </form>
  );
};

const Comparison = ({ before }: { before: string }) => {
  const { parameters } = useRoute();
  const { knownSince, warehouses, nameOf } = useStock();
  const query = pick(parameters, ['before', 'at', 'clients', 'search', 'differing']);
  const chosen = query.clients?.split(',') ?? [];
  const isByMaterial = parameters.get('show') === 'materials';
  const toggle = (client: string) =>
    warehouses.filter((name) => chosen.includes(name) !== (name === client)).join();
  return (
    <>
      {knownSince !== null && Date.parse(before) < knownSince && (
        <Notice>
          Batches are known since <When at={knownSince} />, so balances of before may be missing.{' '}
          <a href={hrefTo('materials', [], { at: before })}>Read older batches</a>
        </Notice>
      )}
      <fieldset class="flow chips">
        <legend class="hidden">Warehouses</legend>
        {warehouses.map((client) => (
          <Chip
            key={client}
            isPressed={chosen.includes(client)}
            onClick={() => changeAddress({ clients: toggle(client) })}
          >
            {nameOf(client)}
          </Chip>
        ))}
      </fieldset>
      <search class="filters">
        <SearchField placeholder="A, B or a pasted column of codes" />
      </search>
      <StockTable
        table="comparedUnits"
        query={query}
        sortName="units"
        caption="Totals by unit"
        noun={['unit', 'units']}
      />
      <fieldset class="flow chips">
        <legend class="hidden">Rows</legend>
        {[undefined, 'materials'].map((show) => (
          <Chip
            key={show}
            isPressed={isByMaterial === (show !== undefined)}
            onClick={() => changeAddress({ show, sort: undefined })}
          >
            {show ? 'Totals by material' : 'By warehouse'}
          </Chip>
        ))}
        <Chip
          isPressed={parameters.has('differing')}
          onClick={() => changeAddress({ differing: parameters.has('differing') ? undefined : 'yes' })}
        >
          Only differences
        </Chip>
      </fieldset>
      <StockTable
        key={isByMaterial}
        table={isByMaterial ? 'comparedMaterials' : 'compared'}
        query={query}
        caption={isByMaterial ? 'Both moments by material' : 'Both moments by material and warehouse'}
        noun={['row', 'rows']}
        headColumn="MaterialCode"
        printsFilter={false}
      />
      <Download content="all of this" path={['comparison']} query={query} formats={{ xlsx: 'XLSX' }} />
    </>
  );
};
