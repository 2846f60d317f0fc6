import type { Choices, Kinds } from '../../api.ts';
import { formatNumber } from '../format.ts';
import { changeAddress } from '../route.ts';
import { pathTo } from '../source.ts';
import { useStockResponse } from '../use-stock.ts';
import { titleOf } from './cells.tsx';
import { Choice, Field } from './controls.tsx';

export const useChoices = () =>
  useStockResponse<Choices>(pathTo(['choices'])).response ?? { warehouses: [], units: [] };

/** A page asks for the kinds after its tables, because a check of a moment takes a while. */
export const useKinds = (at: string | null) => useStockResponse<Kinds>(pathTo(['kinds'], { at }));

type SearchProps = { parameters: URLSearchParams; placeholder: string; name?: string; label?: string };

/** Keeps the typed text in the address. */
export const SearchField = ({ parameters, placeholder, name = 'search', label = 'Search' }: SearchProps) => (
  <Field label={label} isWide>
    <input
      type="search"
      autocomplete="off"
      spellcheck={false}
      placeholder={placeholder}
      value={parameters.get(name) ?? ''}
      onInput={({ currentTarget }) => changeAddress({ [name]: currentTarget.value })}
    />
  </Field>
);

type ChoiceProps = Omit<Parameters<typeof Choice>[0], 'value' | 'onChange'> & {
  parameters: URLSearchParams;
  name: string;
};

/** Keeps the chosen value in the address. */
export const ChoiceField = ({ parameters, name, ...props }: ChoiceProps) => (
  <Choice
    {...props}
    value={parameters.get(name) ?? ''}
    onChange={(value) => changeAddress({ [name]: value })}
  />
);

export const WarehouseChoice = (props: Pick<ChoiceProps, 'parameters' | 'values'>) => (
  <ChoiceField {...props} name="client" label="Warehouse" noValue="All warehouses" />
);

type KindProps = { kinds: Kinds; parameters: URLSearchParams };

export const FindingChoice = ({ kinds, parameters }: KindProps) => {
  const counts = new Map(kinds.map(({ kind, count }) => [kind, count]));
  return (
    <ChoiceField
      parameters={parameters}
      name="finding"
      label="Findings"
      noValue="All materials"
      values={['any', ...counts.keys()]}
      nameOf={(kind) =>
        kind === 'any' ? 'Any finding' : `${titleOf(kind)} (${formatNumber(counts.get(kind) ?? 0)})`
      }
    />
  );
};
