import type { DatabaseSync } from 'node:sqlite';
import { describeNoClients, requireRecords } from '../../clients/client-table.ts';
import type { Where } from '../../deployment/deployment.ts';
import { openSession, type Session } from '../../deployment/session.ts';
import { emptyStock, isUnusable, openForReading, openStock } from '../../stock/database/open-stock.ts';
import { chooseStockFile, removeStockFile, WITHOUT_CACHE } from '../../stock/database/stock-file.ts';
import { createLoader, type Needs } from '../../stock/loading/load-stock.ts';
import { Failure } from '../../text/failure.ts';
import { clientOption, fileOptions } from '../terminal/options.ts';
import type { Piece } from '../terminal/output.ts';
import { type Period, readRange } from '../terminal/period.ts';
import { say, withProgress } from '../terminal/terminal.ts';

type Options = Where & {
  client?: string | undefined;
  since?: Period | undefined;
  at?: Period | undefined;
  fresh?: boolean | undefined;
  cache?: boolean | undefined;
};

export type LoadedStock = {
  session: Session;
  /** A connection that can only read. */
  db: DatabaseSync;
  file: string;
  /** The clients whose records are loaded. */
  clients: readonly string[];
  /** What the options of the command choose. */
  filter: { client: string | undefined; since: Date | undefined; at: Date | undefined };
};

/** The options of a command that reads the stock, with its further options in between. */
export const stockOptions = <TOptions extends object>(further: TOptions) => ({
  client: clientOption,
  ...further,
  ...fileOptions,
});

/**
 * Reads the new records of the deployment into the stock's file, as far as the command `needs` them. Then runs the work with a
 * connection that cannot change the file.
 */
export async function* withStock(
  options: Options,
  needs: Needs | undefined | ((at: Date | undefined) => Needs),
  work: (stock: LoadedStock) => AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  const session = await openSession(options);
  const { since, until: at } = readRange(options);
  const { file, remove } = chooseStockFile(session.deployment, options.cache);
  try {
    const chosenNeeds = typeof needs === 'function' ? needs(at) : needs;
    const { clients, writer } = await openAndLoad(session, file, options, chosenNeeds);
    const db = openForReading(file);
    writer.close();
    try {
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

const openAndLoad = async (session: Session, file: string, options: Options, needs: Needs | undefined) => {
  const stock = openStock(file);
  try {
    if (options.fresh) emptyStock(stock);
    return { writer: stock, clients: await loadInto(stock, session, options.client, needs) };
  } catch (error) {
    stock.close();
    if (!isUnusable(error)) throw error;
    removeStockFile(file);
    const newStock = openStock(file);
    return { writer: newStock, clients: await loadInto(newStock, session, options.client, needs) };
  }
};

const loadInto = async (
  stock: DatabaseSync,
  session: Session,
  client: string | undefined,
  needs: Needs | undefined,
) => {
  const { clients, current, doctors } = await withProgress('Reading batches:', undefined, (onProgress) => {
    onProgress(0);
    return createLoader(stock)(session, {
      client,
      ...(needs ? { needs } : {}),
      onProgress: ({ done, total }) => onProgress(done, total),
    });
  });
  if (client !== undefined && !current.includes(client)) await requireRecords(session, client);
  if (clients.length === 0) say(describeNoClients(session.deployment.name));
  const [first] = doctors;
  if (first !== undefined)
    say(`Not shown: the doctor's clients ${doctors.join(', ')}. To show ${first}: --client ${first}.`);
  return clients;
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
