import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  LegendPosition,
  PeriodOverride,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { AlarmDefinition } from './alarm.ts';

/** Shows the state of all alarms, and for each section of the runbook a graph of what its alarms watch. */
export const addDashboard = (
  scope: Construct,
  definitions: readonly AlarmDefinition[],
  alarms: readonly IAlarm[],
) => {
  const bySection = Object.entries(Object.groupBy(definitions, ({ runbookSection }) => runbookSection));
  return new Dashboard(scope, 'Dashboard', {
    defaultInterval: Duration.days(1),
    // Otherwise the AWS console chooses the periods, and a sum per hour could become a sum per minute.
    periodOverride: PeriodOverride.INHERIT,
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 6 })],
      bySection.map(([section, itsDefinitions = []]) => graphOf(section, itsDefinitions)),
    ],
  });
};

const graphOf = (title: string, definitions: readonly AlarmDefinition[]) => {
  const thresholds = definitions.map(({ condition }) => condition.threshold);
  return new GraphWidget({
    title,
    width: 8,
    height: 6,
    left: definitions.map(({ metric }) => metric),
    leftYAxis: { min: 0 },
    leftAnnotations: [...new Set(thresholds)].map((value) => ({ value, label: 'alarm' })),
    legendPosition: LegendPosition.BOTTOM,
  });
};
