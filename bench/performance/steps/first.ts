import { toSnapshotItems } from '../../../shared/storage/snapshot.ts';
import { batchOf } from '../../../test/support/batches.ts';
import { convert, head, OURS, parse, send, validate } from './ways.ts';

/*
 * Takes one batch of so many entries through the steps, in our way or in the one before it, in a process that has done
 * none of it, and puts out what each took, in milliseconds: node first.ts ENTRIES ours|before
 */

const [entries, way] = process.argv.slice(2);
const isOurs = way === OURS;
const text = JSON.stringify(batchOf(Number(entries)));
const ms: Record<string, number> = {};

const timed = async <T>(step: string, run: () => T) => {
  const started = process.hrtime.bigint();
  const result = await run();
  ms[step] = Number(process.hrtime.bigint() - started) / 1e6;
  return result;
};

const body: unknown = await timed('parse', () => parse[isOurs ? OURS : "middy's body parser"](text));
const batch = await timed('validate', () => validate[isOurs ? OURS : 'the schema'](body));
if (!batch) throw new Error('The batch is not valid.');
await timed('convert', () => convert[isOurs ? OURS : 'the document client'](batch));
const items = toSnapshotItems({ ...head, entries: batch.MaterialCodes });
await timed('send', () => send[isOurs ? OURS : "with the SDK's log"](items));
process.stdout.write(JSON.stringify(ms));
