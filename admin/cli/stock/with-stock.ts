import type { DatabaseSync } from 'node:sqlite';
import type { Command, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { describeNoClients, requireRecords } from '../../clients/client-table.ts';
import type { Session } from '../../deployment/session.ts';
import { emptyStock, isUnusable, openForReading, openStock } from '../../stock/database/open-stock.ts';
import { chooseStockFile, removeStockFile, WITHOUT_CACHE } from '../../stock/database/stock-file.ts';
import { createLoader, type Needs } from '../../stock/loading/load-stock.ts';
import { Failure } from '../../text/failure.ts';
import { clientOption, examples, freshOption, noCacheOption } from '../terminal/arguments.ts';
import { type CommandSession, openCommand } from '../terminal/open-command.ts';
import { Period, readRange } from '../terminal/period.ts';
import { say, withProgress } from '../terminal/terminal.ts';

const Options = v.object({
  client: v.optional(v.string()),
  since: v.optional(Period),
  at: v.optional(Period),
  last: v.optional(v.number()),
  fresh: v.optional(v.boolean()),
  cache: v.optional(v.boolean()),
});
type Options = v.InferOutput<typeof Options>;

export type LoadedStock = {
  session: CommandSession;
  /** A connection that can only read. */
  db: DatabaseSync;
  file: string;
  /** The clients whose records are loaded. */
  clients: readonly string[];
  /** What the options of the command choose. */
  filter: { client: string | undefined; since: Date | undefined; at: Date | undefined };
  last: number | undefined;
};

/** Adds the options that `withStock` reads. */
export const stockCommand = <TCommand extends Command>(
  command: TCommand,
  description: string,
  options: readonly Option[],
  commandLines: readonly string[],
) => {
  command.description(description);
  for (const option of [clientOption(), ...options, freshOption(), noCacheOption()])
    command.addOption(option);
  command.addHelpText('after', examples(...commandLines));
  return command;
};

/**
 * Reads the new records of the deployment into the stock's file, as far as the command `needs` them. Then runs the work with a
 * connection that cannot change the file.
 */
export const withStock = async (
  command: Parameters<typeof openCommand>[0],
  needs: Needs | undefined | ((at: Date | undefined) => Needs),
  work: (stock: LoadedStock) => Promise<void>,
) => {
  const session = await openCommand(command);
  const options = v.parse(Options, command.optsWithGlobals());
  const { since, until: at } = readRange(options);
  const { file, remove } = chooseStockFile(session.deployment, options.cache);
  try {
    const chosenNeeds = typeof needs === 'function' ? needs(at) : needs;
    const { clients, writer } = await openAndLoad(session, file, options, chosenNeeds);
    const db = openForReading(file);
    writer.close();
    try {
      const { client, last } = options;
      await work({ session, db, file, clients, filter: { client, since, at }, last });
    } finally {
      db.close();
    }
  } catch (error) {
    throw toFailure(error, file);
  } finally {
    remove();
  }
};

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
