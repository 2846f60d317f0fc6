import type { StockData } from '../../stock/stock-data.ts';
import { formatAmount } from '../format.ts';
import type { Point } from '../model.ts';

type Props = { points: readonly Point[]; data: Pick<StockData, 'since' | 'asOf'> };

const WIDTH = 72;
const HEIGHT = 24;
const PAD = 3;

/** The steps of a balance in its newest unit, from the lowest to the highest. */
export const Sparkline = ({ points, data: { since, asOf } }: Props) => {
  const unit = points.at(-1)?.unit ?? '';
  const own = points.slice(points.findLastIndex((point) => point.unit !== unit) + 1);
  const balances = own.map(({ balance }) => balance);
  const [low, high] = [Math.min(...balances), Math.max(...balances)];
  const x = (at: number) => Math.round(((Math.max(at, since) - since) / Math.max(1, asOf - since)) * WIDTH);
  const y = (balance: number) =>
    high === low
      ? HEIGHT / 2
      : Math.round(HEIGHT - PAD - ((balance - low) / (high - low)) * (HEIGHT - 2 * PAD));
  const steps = own.slice(1).map(({ at, balance }) => `H${x(at)}V${y(balance)}`);
  const [first] = own;
  const start = first ? `M${x(first.at)} ${y(first.balance)}` : '';
  const end = own.at(-1);
  const title = high === low ? 'No change' : `From ${formatAmount(low)} to ${formatAmount(high)} ${unit}`;
  return (
    <svg
      class="spark"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <path d={`${start}${steps.join('')}`} />
      {end && <circle cx={Math.min(WIDTH - 2, x(end.at))} cy={y(end.balance)} r="2" />}
    </svg>
  );
};
