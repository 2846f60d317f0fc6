import type { StockData } from '../../stock/stock-data.ts';
import { formatAmount } from '../format.ts';
import type { Point } from '../model.ts';

type Props = { points: readonly Point[]; data: Pick<StockData, 'since' | 'asOf'> };

/** The steps of a balance in its newest unit, from the lowest to the highest. */
export const Sparkline = ({ points, data: { since, asOf } }: Props) => {
  const unit = points.at(-1)?.unit ?? '';
  const own = points.slice(points.findLastIndex((point) => point.unit !== unit) + 1);
  const balances = own.map(({ balance }) => balance);
  const [low, high] = [Math.min(...balances), Math.max(...balances)];
  const steps = own.map(({ at, balance }, index) => {
    const x = Math.max(0, at - since) / Math.max(1, asOf - since);
    const y = high === low ? 0.5 : (high - balance) / (high - low);
    return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  return (
    <svg class="spark" viewBox="0 0 1 1" preserveAspectRatio="none" role="img">
      <title>
        {high === low ? 'No change' : `From ${formatAmount(low)} to ${formatAmount(high)} ${unit}`}
      </title>
      <path d={steps.join('')} />
    </svg>
  );
};
