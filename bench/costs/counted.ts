import type { Call } from '../harness/recorder.ts';
import type { Run } from '../harness/runner.ts';
import { metricsIn } from './served.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

/** Parts of a batch go four at a time, and the first of them last; the segments of a list go side by side. */
const PARTS_AT_A_TIME = 4;
export const turns = (calls: readonly Call[]) => {
  const pages = Object.values(Object.groupBy(calls, ({ segment }) => String(segment)));
  const isList = calls.some(({ operation }) => operation === 'Scan');
  const inTurn = isList
    ? Math.max(...pages.map((segment) => segment?.length ?? 0))
    : 1 + Math.ceil((calls.length - 1) / PARTS_AT_A_TIME);
  return { all: calls.length, inTurn };
};

export const chargesOf = (calls: readonly Call[]) => {
  const of = (operation: string) =>
    sum(calls.filter((call) => call.operation === operation).map(({ units }) => units));
  return {
    items: sum(calls.map(({ items }) => items)),
    itemBytes: sum(calls.map(({ bytes }) => bytes)),
    largestItemBytes: Math.max(0, ...calls.filter(({ items }) => items === 1).map(({ bytes }) => bytes)),
    writeUnits: of('PutItem'),
    readUnits: of('Scan'),
    engineUnits: sum(calls.map(({ engineUnits }) => engineUnits)),
  };
};

export const metricsOf = (served: readonly Run[], refused: readonly Run[]) => {
  const [always, ofRefusals] = [served, refused].map((runs) => {
    const metrics = [...metricsIn(runs)];
    const perClient = metrics.filter((metric) => metric.includes('client=')).length;
    return { perClient, perDeployment: metrics.length - perClient };
  });
  return {
    perClient: always?.perClient ?? 0,
    perDeployment: always?.perDeployment ?? 0,
    ofRefusalsPerClient: ofRefusals?.perClient ?? 0,
    ofRefusalsPerDeployment: ofRefusals?.perDeployment ?? 0,
  };
};
