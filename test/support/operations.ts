import { type OperationName, operationDefinition } from '../../shared/operations.ts';
import { batchOf } from './batches.ts';
import type { LocalRun } from './local-run.ts';

const bodies = { Change: { Timestamp: '2026-11-21T06:48:04,123Z' }, StockBalanceBatch: batchOf(3) };

/** A body that the operation accepts. */
export const bodyFor = (name: OperationName) => {
  const { body } = operationDefinition(name);
  return body && bodies[body];
};

/** Sends a request that the operation accepts. */
export const sendRequest = (run: LocalRun, name: OperationName) => {
  const last = operationDefinition(name).path.split('/').at(-1) ?? '';
  const body = bodyFor(name);
  return body ? run.post(last, body) : run.get(last);
};

/** The beginning of the function's id in the template. */
export const functionIdOf = (name: string) =>
  name.replaceAll(/(?:^|-)(\w)/g, (_, first) => first.toUpperCase());
