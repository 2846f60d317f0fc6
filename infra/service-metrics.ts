import type { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { metricDimensions } from '../shared/metrics.ts';
import { type OperationName, operations } from '../shared/operations.ts';

const allDimensions = {
  ...metricDimensions,
  RefusedBatches: [['client']],
  LimitedRequests: [['client']],
  TooManyRequests: [[]],
} as const;

export type ServiceMetricName = keyof typeof allDimensions;

export const operationLabel = (name: OperationName) => `${operations[name].method} ${operations[name].path}`;

/** Each deployment has its own namespace, because an account may have several deployments. */
export class ServiceMetrics {
  readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  sum(metricName: ServiceMetricName, period: Duration, dimensions: Record<string, string> = {}) {
    this.requireCounted(metricName, Object.keys(dimensions));
    return new Metric({
      namespace: this.namespace,
      metricName,
      dimensionsMap: dimensions,
      statistic: Stats.SUM,
      period,
    });
  }

  /** An alarm evaluates each client on its own only if the query has both GROUP BY and ORDER BY. */
  sumByClient(metricName: ServiceMetricName, period: Duration, ignoredClients: readonly string[] = []) {
    this.requireCounted(metricName, ['client']);
    const filters = ignoredClients.map((client) => `client != '${client}'`);
    return new MathExpression({
      expression: [
        `SELECT SUM(${metricName}) FROM SCHEMA("${this.namespace}", client)`,
        ...(filters.length === 0 ? [] : [`WHERE ${filters.join(' AND ')}`]),
        'GROUP BY client ORDER BY SUM() DESC',
      ].join(' '),
      period,
    });
  }

  /** A metric with other dimensions would stay empty, and its alarm silent. */
  private requireCounted(metricName: ServiceMetricName, dimensions: readonly string[]) {
    const wanted = dimensions.join();
    if (!allDimensions[metricName].some((fields) => fields.join() === wanted)) {
      throw new Error(`${metricName} is not counted by "${wanted}".`);
    }
  }
}
