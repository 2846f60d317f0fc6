import type { WarehouseApi } from '../api/rest-api.ts';
import type { Backup } from '../data/backup.ts';
import type { Tables } from '../data/tables.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { Settings } from '../settings/settings.ts';
import type { ServiceMetrics } from './service-metrics.ts';

export type MonitoredResources = {
  settings: Settings;
  authorizer: ServiceFunction;
  functions: readonly ServiceFunction[];
  api: WarehouseApi;
  tables: Tables;
  backup: Backup | undefined;
  metrics: ServiceMetrics;
};
