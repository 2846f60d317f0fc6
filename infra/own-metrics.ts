import type { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricDimension, MetricName } from '../shared/metrics.ts';
import { type OperationName, operations } from '../shared/operations.ts';

/** What the access log is counted into, by status. */
export const ERROR_ANSWERS = 'ErrorAnswers';

/** An operation, as the log lines and so the metrics name it. */
export const operationLabel = (name: OperationName) => `${operations[name].method} ${operations[name].path}`;

/** The metrics that the functions write into their logs, under the name of their deployment. */
export class OwnMetrics {
  readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  sum(metricName: MetricName, period: Duration, of: Partial<Record<MetricDimension, string>> = {}) {
    return new Metric({
      namespace: this.namespace,
      metricName,
      dimensionsMap: of,
      statistic: Stats.SUM,
      period,
    });
  }

  /** One line for each value that a dimension has had: a client that is added is on the dashboard with its first request. */
  sumBy(metricName: MetricName | typeof ERROR_ANSWERS, dimensions: readonly string[], period: Duration) {
    const schema = [`"${this.namespace}"`, ...dimensions].join();
    return new MathExpression({
      expression: `SEARCH('{${schema}} MetricName="${metricName}"', 'Sum', ${period.toSeconds()})`,
      label: dimensions.map((dimension) => `\${PROP('Dim.${dimension}')}`).join(' '),
      usingMetrics: {},
      period,
    });
  }
}
