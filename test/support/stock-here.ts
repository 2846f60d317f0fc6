import type { StockService } from '../../admin/console/processes/start-stock.ts';
import { readStockState } from '../../admin/console/queries/read-state.ts';
import { respond } from '../../admin/console/queries/stock-requests.ts';
import type { Session } from '../../admin/deployment/session.ts';
import { openStock } from '../../admin/stock/database/open-stock.ts';
import { createLoader } from '../../admin/stock/loading/load-stock.ts';
import { explain } from '../../admin/text/failure.ts';

const isMissing = async () => {
  throw new Error('Only the real stock does that.');
};

/** The stock in memory and in this thread, on whose clock each request reads the service first. */
export const stockHere = (session: Session): StockService => {
  const stock = openStock(':memory:');
  const load = createLoader(stock);
  const read = () =>
    load({ ...session, now: new Date() }).then(
      () => ({}),
      (error: unknown) => ({ failure: explain(error) }),
    );
  return {
    ask: async (request) => {
      await read();
      return respond(stock, request);
    },
    readState: async () => {
      const failed = await read();
      return { ...readStockState(stock), ...failed };
    },
    readNow: async () => {},
    readAtNextRequest: () => {},
    openDownload: isMissing,
    runQuery: isMissing,
    readFile: isMissing,
    failed: Promise.withResolvers<never>().promise,
    end: async () => {},
  };
};
