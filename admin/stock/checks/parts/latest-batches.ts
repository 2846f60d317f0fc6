import { joinFirstNames } from '../../../text/words.ts';
import { firstNames, type Words } from './define-kind.ts';

/** The warehouses whose latest batches lack something. */
export type LatestBatches = { warehouses: string[]; warehouseCount: number };

export const LATEST_BATCHES = {
  warehouses: `json(${firstNames('SELECT client AS name FROM check_latest ORDER BY client')})`,
  warehouseCount: '(SELECT count(*) FROM check_latest)',
};

export const writeLatestBatches = ({ warehouses, warehouseCount }: LatestBatches, { count }: Words) =>
  `${warehouseCount === 1 ? 'the latest batch of' : 'any of the latest batches of'} ${joinFirstNames(warehouses, warehouseCount, count)}`;
