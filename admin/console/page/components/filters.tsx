import type { AddressTexts } from '../../addresses.ts';
import type { Kinds } from '../../api.ts';
import { formatTime } from '../format.ts';
import { changeAddress, pick, useRoute } from '../route.ts';
import { pathTo } from '../source.ts';
import { useStock, useStockResponse } from '../use-stock.ts';
import { Choice, Field } from './controls.tsx';

/** A page asks for the kinds after its tables, because a check of a moment takes a while. */
export const useKinds = (filters: readonly (keyof AddressTexts)[] = []) =>
  useStockResponse<Kinds>(pathTo(['kinds'], pick(useRoute().parameters, ['at', ...filters])));

type SearchProps = { placeholder: string; name?: string; label?: string };

const rangeOf = ({ selectionStart, selectionEnd, value }: HTMLInputElement) =>
  [selectionStart ?? value.length, selectionEnd ?? value.length] as const;

/** Keeps the typed text in the address. */
export const SearchField = ({ placeholder, name = 'search', label = 'Search' }: SearchProps) => (
  <Field label={label} isWide>
    <input
      type="search"
      autocomplete="off"
      spellcheck={false}
      placeholder={placeholder}
      value={useRoute().parameters.get(name) ?? ''}
      onInput={({ currentTarget }) => changeAddress({ [name]: currentTarget.value })}
      onPaste={(event) => {
        const lines = event.clipboardData?.getData('text').trim() ?? '';
        if (!/[\n\t]/.test(lines)) return;
        // A field of one line would join the cells of a column.
        event.preventDefault();
        const { currentTarget: field } = event;
        field.setRangeText(lines.replaceAll(/\s*[\n\t]+\s*/g, ', '), ...rangeOf(field), 'end');
        changeAddress({ [name]: field.value });
      }}
    />
  </Field>
);

type ChoiceProps = Omit<Parameters<typeof Choice>[0], 'value' | 'onChange'> & { name: string };

/** Keeps the chosen value in the address. */
export const ChoiceField = ({ name, ...props }: ChoiceProps) => (
  <Choice
    {...props}
    value={useRoute().parameters.get(name) ?? ''}
    onChange={(value) => changeAddress({ [name]: value })}
  />
);

/** The warehouses to choose from. */
export const useWarehouses = () => {
  const { warehouses: values, nameOf } = useStock();
  return { label: 'Warehouse', noValue: 'All warehouses', values, nameOf };
};

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

type PrintedProps = { query: AddressTexts; isPrinted?: boolean | undefined };

/** The controls of the filter are not printed. The page says above all tables as of when it is. */
export const PrintedFilter = ({ query: { at: _, ...query }, isPrinted = true }: PrintedProps) => {
  const values = Object.entries(query).flatMap(([name, value]) => {
    if (!value) return [];
    const shown = TIME.test(value) ? formatTime(Date.parse(value)) : value;
    return `${name === 'client' ? 'warehouse' : name} ${shown}`;
  });
  return isPrinted && values.length > 0 && <p class="printed">Filter: {values.join(', ')}.</p>;
};
