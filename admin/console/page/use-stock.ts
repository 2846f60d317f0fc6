import { type Model, toModel } from './model.ts';
import { isFrozen, readStock } from './source.ts';
import { useAnswer } from './use-answer.ts';

type Stock = { model: Model; version: string };

/** Reads the stock. Refreshes it while the page is visible, unless `at` is set. */
export const useStock = (at: string | null) => {
  const isLatest = at === null && !isFrozen;
  const read = async (path: string, before?: Stock) => {
    const stock = await readStock(path, before?.version);
    // Without new data, the model stays the same object, so that nothing is computed again.
    const next = stock ? { model: toModel(stock.data), version: stock.version } : before;
    // Ages grow even without new data.
    if (isLatest && next) next.model.data.asOf = Date.now();
    return next;
  };
  const path = at === null ? 'stock' : `stock?at=${encodeURIComponent(at)}`;
  const { answer, ...rest } = useAnswer<Stock | undefined>(path, { isRefreshed: isLatest, read });
  return { model: answer?.model, ...rest };
};
