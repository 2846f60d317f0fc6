import { workerData } from 'node:worker_threads';
import { openSession, type Session } from '../../deployment/session.ts';
import { emptyStock, openStock } from '../../stock/database/open-stock.ts';
import { loadClients } from '../../stock/loading/load-clients.ts';
import { loadLists } from '../../stock/loading/load-lists.ts';
import { createLoader } from '../../stock/loading/load-stock.ts';
import { respondToRequests } from './thread-requests.ts';

/** `open` waits until the file is open. `load` reads all that is new. `lists` and `clients` read only this part. */
export type LoaderRequest = 'open' | 'load' | 'lists' | 'clients';

const { file, where, isFresh } = workerData;
const stock = openStock(file);
if (isFresh) emptyStock(stock);
const load = createLoader(stock);
let session: Session | undefined;

respondToRequests(async (request: LoaderRequest) => {
  if (request === 'open') return '';
  session ??= await openSession(where);
  if (request === 'load') await load({ ...session, now: session.deployment.now() });
  else if (request === 'clients') await loadClients(stock, session);
  else await loadLists(stock, session);
  return '';
});
