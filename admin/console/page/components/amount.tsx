import { formatAmount } from '../format.ts';

/** The most digits after the decimal sign. A longer fraction has none to align with. */
export const decimalsIn = (values: Iterable<number>) => {
  let most = 0;
  for (const value of values) most = Math.max(most, String(value).split('.')[1]?.length ?? 0);
  return most;
};

type Props = { value: number | undefined; decimals: number; hasSign?: boolean };

/** A number whose decimal sign is below that of the others in its column, which have up to so many decimals. */
export const Amount = ({ value, decimals, hasSign = false }: Props) => {
  if (value === undefined) return null;
  const [whole, fraction] = formatAmount(value).split('.');
  return (
    <span class="amount">
      {hasSign && value > 0 && '+'}
      {whole}
      <span class="fraction" style={{ '--decimals': decimals }}>
        {fraction !== undefined && `.${fraction}`}
      </span>
    </span>
  );
};
