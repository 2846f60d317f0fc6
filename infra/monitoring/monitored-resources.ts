import type { WarehouseApi } from '../api/rest-api.ts';
import type { Backup } from '../data/backup.ts';
import type { Tables } from '../data/tables.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { Settings } from '../settings/settings.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** The resources that alarms and the dashboard watch, and the settings with the limits. */
export type MonitoredResources = {
  settings: Settings;
  authorizer: ServiceFunction;
  /** One function for each operation. */
  functions: readonly ServiceFunction[];
  api: WarehouseApi;
  tables: Tables;
  backup: Backup | undefined;
  metrics: ServiceMetrics;
};
