import type { Choices } from '../../api.ts';
import { formatNumber } from '../format.ts';
import { replaceQuery } from '../route.ts';
import { pathTo } from '../source.ts';
import { useStockResponse } from '../use-stock.ts';
import { titleOf } from './cells.tsx';
import { Choice, Field } from './controls.tsx';

export const useChoices = (at: string | null): Choices =>
  useStockResponse<Choices>(pathTo(['choices'], { at })).response ?? { warehouses: [], units: [], kinds: [] };

type SearchProps = { query: URLSearchParams; placeholder: string; name?: string; label?: string };

/** Keeps its words in the address. */
export const SearchField = ({ query, placeholder, name = 'search', label = 'Search' }: SearchProps) => (
  <Field label={label} isWide>
    <input
      type="search"
      autocomplete="off"
      spellcheck={false}
      placeholder={placeholder}
      value={query.get(name) ?? ''}
      onInput={({ currentTarget }) => replaceQuery({ [name]: currentTarget.value })}
    />
  </Field>
);

type ChoiceProps = Omit<Parameters<typeof Choice>[0], 'value' | 'onChange'> & {
  query: URLSearchParams;
  name: string;
};

/** Keeps the chosen value in the address. */
export const ChoiceField = ({ query, name, ...props }: ChoiceProps) => (
  <Choice {...props} value={query.get(name) ?? ''} onChange={(value) => replaceQuery({ [name]: value })} />
);

type KindProps = Pick<Choices, 'kinds'> & { query: URLSearchParams };

export const FindingChoice = ({ kinds, query }: KindProps) => {
  const counts = new Map(kinds.map(({ kind, count }) => [kind, count]));
  return (
    <ChoiceField
      query={query}
      name="finding"
      label="Findings"
      all="With and without"
      values={['any', ...counts.keys()]}
      nameOf={(kind) =>
        kind === 'any' ? 'Any finding' : `${titleOf(kind)} (${formatNumber(counts.get(kind) ?? 0)})`
      }
    />
  );
};
