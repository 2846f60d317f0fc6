import type { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { metricDimensions } from '../../shared/metrics.ts';
import { type OperationName, operations } from '../../shared/operations.ts';

/** The dimensions of the functions' metrics and of the metrics from the access log. */
const allDimensions = {
  ...metricDimensions,
  RefusedBatches: [['client']],
  ErrorAnswers: [['status']],
} as const;

type ServiceMetricName = keyof typeof allDimensions;

/** The name of an operation in log lines. */
export const operationLabel = (name: OperationName) => `${operations[name].method} ${operations[name].path}`;

/** The metrics of one deployment. Each has its own namespace, since an account may have several deployments. */
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

  /** One line for each value of a dimension: a new client is on the dashboard from its first request on. */
  sumBy(metricName: ServiceMetricName, dimensions: readonly string[], period: Duration) {
    this.requireCounted(metricName, dimensions);
    const schema = [`"${this.namespace}"`, ...dimensions].join();
    return new MathExpression({
      expression: `SEARCH('{${schema}} MetricName="${metricName}"', 'Sum', ${period.toSeconds()})`,
      label: dimensions.map((dimension) => `\${PROP('Dim.${dimension}')}`).join(' '),
      usingMetrics: {},
      period,
    });
  }

  /** A metric with other dimensions than it is counted by would stay empty, and its alarm silent. */
  private requireCounted(metricName: ServiceMetricName, dimensions: readonly string[]) {
    const wanted = dimensions.join();
    if (!allDimensions[metricName].some((fields) => fields.join() === wanted)) {
      throw new Error(`${metricName} is not counted by "${wanted}".`);
    }
  }
}
