import { formatAmount, formatChange } from '../format.ts';

type Props = {
  value: number;
  /** Space for this many decimals aligns the decimal points of a column. */
  decimals?: number;
  isChange?: boolean;
};

export const Amount = ({ value, decimals = 0, isChange = false }: Props) => {
  const [whole, fraction] = (isChange ? formatChange(value) : formatAmount(value)).split('.');
  const isBelow = value < 0 && !isChange;
  return (
    <span class={isBelow ? 'amount below' : 'amount'}>
      {whole}
      {(decimals > 0 || fraction !== undefined) && (
        <span class="fraction" style={`--decimals: ${decimals}`}>
          {fraction === undefined ? '' : `.${fraction}`}
        </span>
      )}
      {isBelow && <span class="hidden"> (below zero)</span>}
    </span>
  );
};
