import { formatAmount, formatChange } from '../format.ts';

type Props = {
  value: number;
  /** The decimals for which there is space, so that the decimal signs of a column are below one another. */
  decimals?: number;
  isChange?: boolean;
};

/** A number whose sign, mark and words show that a balance is below zero. */
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
