import type { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../shared/metrics.ts';
import { type OperationName, operations } from '../shared/operations.ts';

/** The functions count the metrics of shared/metrics.ts. The other metrics are counted from the access log. */
export type ServiceMetricName =
  | MetricName
  | 'RefusedBatches'
  | 'LimitedRequests'
  | 'TooManyRequests'
  | 'ClientRequests';

export const operationLabel = (name: OperationName) => `${operations[name].method} ${operations[name].path}`;

/** Each deployment has its own namespace, because an account may have several deployments. */
export class ServiceMetrics {
  readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  sum(metricName: ServiceMetricName, period: Duration, dimensions: Record<string, string> = {}) {
    return new Metric({
      namespace: this.namespace,
      metricName,
      dimensionsMap: dimensions,
      statistic: Stats.SUM,
      period,
    });
  }

  /** An alarm evaluates each client on its own only if the query has both GROUP BY and ORDER BY. */
  sumByClient(metricName: ServiceMetricName, period: Duration) {
    return new MathExpression({
      expression: [
        `SELECT SUM(${metricName}) FROM SCHEMA("${this.namespace}", client)`,
        'GROUP BY client ORDER BY SUM() DESC',
      ].join(' '),
      period,
    });
  }
}
