import { createServer } from 'node:http';
import { listen } from '../../local/http.ts';
import { count, formatSpread, sizesTable } from '../markdown.ts';
import { batchContestants, batchSizes, canStore } from './batch-contestants.ts';
import type { Bundler } from './bundles.ts';
import { environmentOf } from './environment.ts';
import { batchEvents } from './events.ts';
import { repeatRequests } from './repeat-requests.ts';
import type { Rounds, Spread } from './series.ts';

/** Less memory than the deployed functions have, so a batch that fits here also fits there. */
const MEMORY_MB = 512;
/** Node itself needs 64 MB beside the heap. */
const HEAP_MB = MEMORY_MB - 64;

export type Warm = { name: string; size: number; ms: Spread; peakMb: number };

/** Accepts every write and stores nothing, because the engine would use processor time of the function. */
const startSink = async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
    });
  });
  const endpoint = await listen(server, 0);
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { endpoint, stop };
};

export const measureWarm = async (bundler: Bundler, roundsFor: (entries: number) => Rounds) => {
  const sink = await startSink();
  const environment = environmentOf({ tables: sink.endpoint });
  const contestants = batchContestants(bundler);
  const measured: Warm[] = [];
  for (const entries of batchSizes) {
    const able = contestants.filter(({ name }) => canStore(name, entries));
    const requests = {
      environment,
      heapMb: HEAP_MB,
      eventOf: batchEvents(entries),
      time: 'cpuMs' as const,
      rounds: roundsFor(entries),
    };
    for (const request of await repeatRequests(able, requests)) measured.push({ ...request, size: entries });
  }
  sink.stop();
  return measured;
};

export const cpuTable = (warm: readonly Warm[]) => sizesTable('CPU, ms', warm, ({ ms }) => formatSpread(ms));

export const memoryTable = (warm: readonly Warm[]) =>
  sizesTable('Peak, MB', warm, ({ peakMb }) => count(peakMb));
