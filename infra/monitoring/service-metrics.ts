import type { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { countedBy } from '../../shared/metrics.ts';
import { type OperationName, operations } from '../../shared/operations.ts';

/** By which fields the metrics are counted: those that the functions write, and those that are made of the access log. */
const dimensionsOf = {
  ...countedBy,
  RefusedBatches: [['client']],
  ErrorAnswers: [['status']],
} as const;

type ServiceMetricName = keyof typeof dimensionsOf;

/** An operation, as the lines of the logs name it. */
export const operationLabel = (name: OperationName) => `${operations[name].method} ${operations[name].path}`;

/** The metrics of one deployment, under a name of its own: those of another in the account are others. */
export class ServiceMetrics {
  readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  sum(metricName: ServiceMetricName, period: Duration, of: Record<string, string> = {}) {
    this.expectCounted(metricName, Object.keys(of));
    return new Metric({
      namespace: this.namespace,
      metricName,
      dimensionsMap: of,
      statistic: Stats.SUM,
      period,
    });
  }

  /** One line for each value that a dimension has had: a client that is added is on the dashboard with its first request. */
  sumBy(metricName: ServiceMetricName, dimensions: readonly string[], period: Duration) {
    this.expectCounted(metricName, dimensions);
    const schema = [`"${this.namespace}"`, ...dimensions].join();
    return new MathExpression({
      expression: `SEARCH('{${schema}} MetricName="${metricName}"', 'Sum', ${period.toSeconds()})`,
      label: dimensions.map((dimension) => `\${PROP('Dim.${dimension}')}`).join(' '),
      usingMetrics: {},
      period,
    });
  }

  /** CloudWatch does not add up what was counted by other fields: such a metric would stay empty, and its alarm silent. */
  private expectCounted(metricName: ServiceMetricName, dimensions: readonly string[]) {
    const asked = dimensions.join();
    if (!dimensionsOf[metricName].some((fields) => fields.join() === asked)) {
      throw new Error(`Nobody counts ${metricName} by "${asked}".`);
    }
  }
}
