import type { AddressTexts } from '../../addresses.ts';
import type { Choices, Kinds } from '../../api.ts';
import { changeAddress, pick, useRoute } from '../route.ts';
import { pathTo } from '../source.ts';
import { useStockResponse } from '../use-stock.ts';
import { Choice, Field } from './controls.tsx';

export const useChoices = () =>
  useStockResponse<Choices>(pathTo(['choices'])).response ?? { warehouses: [], units: [] };

/** A page asks for the kinds after its tables, because a check of a moment takes a while. */
export const useKinds = (filters: readonly (keyof AddressTexts)[] = []) =>
  useStockResponse<Kinds>(pathTo(['kinds'], pick(useRoute().parameters, ['at', ...filters])));

type SearchProps = { placeholder: string; name?: string; label?: string };

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

export const WarehouseChoice = (props: Pick<ChoiceProps, 'values'>) => (
  <ChoiceField {...props} name="client" label="Warehouse" noValue="All warehouses" />
);
