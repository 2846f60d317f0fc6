import { credentialCheck } from '../../functions/credentials/credential-check.ts';
import { userKeyOf } from '../../shared/clients.ts';

/*
 * node bench/measure/user-names.ts
 *
 * Compares the time to check a wrong password for known and for unknown user names, in turns. Reads no secret, because
 * that takes far longer and the same time for both. Exit code 1 if the times differ by 1 µs or more.
 */

const WARM_UPS = 5_000;
const RUNS = 50_000;
/** A client cannot measure a smaller difference over a network. */
const MAX_DIFFERENCE_US = 1;

const knownNames = Array.from({ length: 10 }, (_, index) => `warehouse-${index}`);
const unknownNames = knownNames.map((name) => name.replace('warehouse', 'stranger-'));
const clients = knownNames.map((name) => ({ name, secret: `Secret-${name}`, userKey: userKeyOf(name) }));
const password = {
  current: 'a'.repeat(32),
  changedAt: new Date(0),
  readPrevious: async () => 'b'.repeat(32),
};
const { check } = credentialCheck({
  clients,
  secrets: { read: async () => password },
  overlapHours: 24,
  now: () => new Date(),
});

const timeOf = async (username = '') => {
  const startedAt = process.hrtime.bigint();
  await check({ username, password: 'wrong'.repeat(6) });
  return Number(process.hrtime.bigint() - startedAt) / 1_000;
};

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

const known: number[] = [];
const unknown: number[] = [];
for (let run = -WARM_UPS; run < RUNS; run += 1) {
  const index = Math.abs(run) % knownNames.length;
  const times = [await timeOf(knownNames[index]), await timeOf(unknownNames[index])] as const;
  if (run < 0) continue;
  known.push(times[0]);
  unknown.push(times[1]);
}
const difference = median(unknown) - median(known);
const inMicroseconds = (value: number) => `${value.toFixed(2)} µs`;
process.stdout.write(
  `known ${inMicroseconds(median(known))}, unknown ${inMicroseconds(median(unknown))}, difference ${inMicroseconds(difference)}, ${RUNS} times each\n`,
);
if (Math.abs(difference) >= MAX_DIFFERENCE_US) process.exitCode = 1;
