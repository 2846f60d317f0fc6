import type { StockService } from '../../admin/console/processes/start-stock.ts';
import { createReaders, type Readers } from '../../admin/console/queries/read-stock.ts';
import type { Session } from '../../admin/deployment/session.ts';
import { openStock } from '../../admin/stock/database/open-stock.ts';
import { createLoader } from '../../admin/stock/loading/load-stock.ts';
import { readChoices } from '../../admin/stock/queries/choices.ts';
import { readStockState } from '../../admin/stock/queries/read-state.ts';
import { explain } from '../../admin/text/failure.ts';

const isMissing = async () => {
  throw new Error('Only the real stock does that.');
};

/** The stock in memory and in this thread, on whose clock each request reads the service first, or with `readsOnce`, only the first one. */
export const stockHere = (session: Session, { readsOnce = false } = {}): StockService => {
  const stock = openStock(':memory:');
  const load = createLoader(stock);
  let since: Date | undefined;
  const readers: {
    [TName in keyof Readers]: (address: Parameters<Readers[TName]>[0]) => ReturnType<Readers[TName]>;
  } = createReaders(() => stock);
  const readAgain = (): Promise<{ failure?: string }> =>
    load({ ...session, now: new Date() }, { since }).then(
      () => ({}),
      (error: unknown) => ({ failure: explain(error) }),
    );
  let first: ReturnType<typeof readAgain> | undefined;
  const read = () => {
    if (!readsOnce) return readAgain();
    first ??= readAgain();
    return first;
  };
  return {
    ask: async (name, address) => {
      await read();
      return readers[name](address);
    },
    readChoices: async () => {
      await read();
      return readChoices(stock);
    },
    readState: async () => {
      const failed = await read();
      return { ...readStockState(stock), ...failed };
    },
    readNow: async () => {},
    readAtNextRequest: () => {},
    readOlder: (time) => {
      since = time;
    },
    openDownload: isMissing,
    runQuery: isMissing,
    readFile: isMissing,
    failed: Promise.withResolvers<never>().promise,
    end: async () => {},
  };
};
