import type { WarehouseApi } from '../api/rest-api.ts';
import type { Tables } from '../data/tables.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { Settings } from '../settings/settings.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** What there is to be watched, and the settings that say how closely. */
export type DeployedParts = {
  settings: Settings;
  authorizer: ServiceFunction;
  /** What serves the operations. */
  functions: readonly ServiceFunction[];
  api: WarehouseApi;
  tables: Tables;
  metrics: ServiceMetrics;
};
