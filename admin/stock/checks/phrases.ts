import { formatTime } from '../../text/time.ts';
import { joinFirstNames, MAX_NAMES } from '../../text/words.ts';

/** Some of the names that `select` finds, in JSON. One more than `joinFirst` shows, so that it knows whether there are more. */
export const firstNames = (select: string) =>
  `(SELECT json_group_array(name) FROM (${select} LIMIT ${MAX_NAMES + 1}))`;

/** The first codes of `materials`, an expression that gives codes in JSON. */
export const firstMaterials = (materials: string) =>
  firstNames(`SELECT value AS name FROM json_each(${materials}) ORDER BY value`);

/** `A, B, C, D, E and 7 more`. */
export const joinFirst = (json: string, count: number) => joinFirstNames(JSON.parse(json), count);

/** The time of a batch. */
export const timeInWords = (id: string) => `${formatTime(new Date(id.slice(0, 24)))} UTC`;

export type LatestBatches = { warehouses: string; warehouseCount: number };

/** The columns for `describeBatches`. */
export const LATEST_BATCHES = `
  ${firstNames('SELECT client AS name FROM check_latest ORDER BY client')} AS warehouses,
  (SELECT count(*) FROM check_latest) AS warehouseCount`;

export const describeBatches = ({ warehouses, warehouseCount }: LatestBatches) =>
  `${warehouseCount === 1 ? 'the latest batch of' : 'any of the latest batches of'} ${joinFirst(warehouses, warehouseCount)}`;
