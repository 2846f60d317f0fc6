import type { OwnMetrics } from './own-metrics.ts';
import type { WarehouseApi } from './rest-api.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';
import type { Tables } from './tables.ts';

/** What there is to be watched, and the settings that say how closely. */
export type DeployedParts = {
  settings: Settings;
  authorizer: ServiceFunction;
  /** What serves the operations. */
  functions: readonly ServiceFunction[];
  api: WarehouseApi;
  tables: Tables;
  metrics: OwnMetrics;
};
