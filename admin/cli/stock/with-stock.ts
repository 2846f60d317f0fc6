import type { DatabaseSync } from 'node:sqlite';
import { describeNoClients, requireSomeRecord } from '../../clients/client-table.ts';
import type { Where } from '../../deployment/deployment.ts';
import { openSession, type Session } from '../../deployment/session.ts';
import { refusalFailure } from '../../stock/database/meta.ts';
import { emptyStock, isUnusable, openForReading, openStock } from '../../stock/database/open-stock.ts';
import { chooseStockFile, removeStockFile, WITHOUT_CACHE } from '../../stock/database/stock-file.ts';
import { createLoader, EVERYTHING, type LoadOptions, type Needs } from '../../stock/loading/load-stock.ts';
import { findKnownSince } from '../../stock/queries/choices.ts';
import type { Estimate } from '../../stock/queries/estimate-older.ts';
import { Failure } from '../../text/failure.ts';
import { formatTime } from '../../text/time.ts';
import { countOf, formatDollars } from '../../text/words.ts';
import { clientOption, fileOptions, type timeOptions, type Values } from '../terminal/options.ts';
import type { Piece } from '../terminal/output.ts';
import { readRange } from '../terminal/period.ts';
import { say, withProgress } from '../terminal/terminal.ts';

type Options = Where &
  Values<typeof fileOptions> &
  Partial<Values<ReturnType<typeof timeOptions>>> & {
    client?: string | undefined;
  };

export type LoadedStock = {
  session: Session;
  db: DatabaseSync;
  file: string;
  clients: readonly string[];
  filter: { client: string | undefined; since: Date | undefined; at: Date | undefined };
};

export const stockOptions = <TOptions extends object>(further: TOptions) => ({
  client: clientOption,
  ...further,
  ...fileOptions,
});

/** `at` is a moment that the arguments of a command choose. Batches are read back to it. */
export type CommandNeeds = Needs & { at?: Date | undefined };

/**
 * Reads the new records of the deployment into the stock's file, as far as the command `needs` them. Then runs the work with a
 * connection that cannot change the file.
 */
export async function* withStock(
  options: Options,
  needs: CommandNeeds | undefined | ((at: Date | undefined) => CommandNeeds),
  work: (stock: LoadedStock) => AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  const session = await openSession(options);
  const { since, until: at } = readRange(options);
  const { file, remove } = chooseStockFile(session.deployment, options.cache);
  try {
    const commandNeeds: CommandNeeds = (typeof needs === 'function' ? needs(at) : needs) ?? EVERYTHING;
    const load = toLoad(options, commandNeeds, { since, at });
    const { loaded, writer } = await openAndLoad(session, file, options.fresh, load);
    const db = openForReading(file);
    writer.close();
    try {
      const { clients } = loaded;
      if (!commandNeeds.history) await describeClients(session, loaded, options.client);
      // A snapshot that the arguments choose depends on no other.
      if (load.needs.batches === 'all' && commandNeeds.at === undefined)
        yield* describeKnownSince(db, clients);
      if (commandNeeds.refusals) yield* describeRefusalFailure(db);
      yield* work({ session, db, file, clients, filter: { client: options.client, since, at } });
    } finally {
      db.close();
    }
  } catch (error) {
    throw toFailure(error, file);
  } finally {
    remove();
  }
}

export const askNewestBatches = async <TAnswer>(
  session: Session,
  hasCache: boolean | undefined,
  ask: (db: DatabaseSync) => TAnswer,
): Promise<TAnswer> => {
  const { file, remove } = chooseStockFile(session.deployment, hasCache);
  try {
    const { writer } = await openAndLoad(session, file, false, NEWEST);
    try {
      return ask(writer);
    } finally {
      writer.close();
    }
  } catch (error) {
    throw toFailure(error, file);
  } finally {
    remove();
  }
};

const toLoad = (
  { client, history }: Options,
  { at: chosenAt, ...needs }: CommandNeeds,
  { since, at }: { since: Date | undefined; at: Date | undefined },
) => {
  const times = [since, history?.from].filter((time) => time !== undefined);
  return {
    client,
    needs: history && needs.batches ? ({ ...needs, batches: 'all' } as const) : needs,
    since: times.length > 0 ? new Date(Math.min(...times.map(Number))) : undefined,
    at: chosenAt ?? at,
  };
};

/** Does not wait for batches between the newest and those of an earlier read. */
const NEWEST: LoadOptions = { needs: { batches: 'newestTwo' }, isOver: () => true };

const openAndLoad = async (
  session: Session,
  file: string,
  isFresh: boolean | undefined,
  load: LoadOptions,
) => {
  const stock = openStock(file);
  try {
    if (isFresh) emptyStock(stock);
    return { writer: stock, loaded: await loadInto(stock, session, load) };
  } catch (error) {
    stock.close();
    if (!isUnusable(error)) throw error;
    removeStockFile(file);
    const newStock = openStock(file);
    return { writer: newStock, loaded: await loadInto(newStock, session, load) };
  }
};

const loadInto = (stock: DatabaseSync, session: Session, load: LoadOptions) =>
  withProgress('Reading batches:', undefined, (onProgress) => {
    onProgress(0);
    return createLoader(stock)(session, {
      ...load,
      onOlder: (estimate) => say(describeOlder(estimate)),
      onProgress: ({ share, batches }) => onProgress(share, 1, countOf(batches, 'batch', 'batches')),
    });
  });

type Loaded = Awaited<ReturnType<typeof loadInto>>;

const describeClients = async (
  session: Session,
  { clients, current, doctors }: Loaded,
  client: string | undefined,
) => {
  if (client !== undefined && !current.includes(client)) await requireSomeRecord(session, client);
  if (clients.length === 0) say(describeNoClients(session.deployment.name));
  const [first] = doctors;
  if (first !== undefined)
    say(`Not shown: the doctor's clients ${doctors.join(', ')}. To show ${first}: --client ${first}.`);
};

/** If the service has older batches than the stock, says from which time on the output has them. */
const describeKnownSince = (db: DatabaseSync, clients: readonly string[]): string[] => {
  const since = findKnownSince(db, clients);
  if (!since) return [];
  return [`From batches since ${formatTime(new Date(since))}. --history 1y reads further back.`];
};

const describeRefusalFailure = (db: DatabaseSync): string[] =>
  refusalFailure(db) ? [`Refused requests are not shown. ${refusalFailure(db)}`] : [];

const describeOlder = ({ batches, dollars, minutes }: Estimate): string => {
  const count = countOf(batches, 'batch', 'batches');
  const time = minutes < 1 ? 'less than a minute' : countOf(Math.ceil(minutes), 'minute');
  return `Reading older batches: about ${count}, ${formatDollars(dollars)}, ${time}. If you end it early, the next run goes on.`;
};

/** SQLite's errors name neither the file nor what to do. */
const toFailure = (error: unknown, file: string) => {
  if (isUnusable(error)) {
    removeStockFile(file);
    return new Failure(`${file} was damaged, and has been removed. Run the command again.`);
  }
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) return error;
  return new Failure(`${file} cannot be used: ${error.message}. ${WITHOUT_CACHE}`);
};
