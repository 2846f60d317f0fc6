import { parentPort, workerData } from 'node:worker_threads';
import { openSession, type Session } from '../../deployment/session.ts';
import { emptyStock, isUnusable, openStock } from '../../stock/database/open-stock.ts';
import { loadLists } from '../../stock/loading/load-lists.ts';
import { createLoader } from '../../stock/loading/load-stock.ts';
import { explain } from '../../text/failure.ts';

/** What the console asks: to read what is new, or the lists alone. */
export type LoaderRequest = 'load' | 'lists';
export type LoaderResult = { kind: 'opened' | LoaderRequest; failure?: string; isUnusable?: boolean };

const { file, where, isFresh } = workerData;
const stock = openStock(file);
if (isFresh) emptyStock(stock);
const load = createLoader(stock);
let session: Session | undefined;

const read = async (kind: LoaderRequest): Promise<LoaderResult> => {
  try {
    session ??= await openSession(where);
    if (kind === 'load') await load({ ...session, now: new Date() });
    else await loadLists(stock, session);
    return { kind };
  } catch (error) {
    return { kind, failure: explain(error), isUnusable: isUnusable(error) };
  }
};

parentPort?.postMessage({ kind: 'opened' } satisfies LoaderResult);
parentPort?.on('message', async (kind: LoaderRequest) => parentPort?.postMessage(await read(kind)));
