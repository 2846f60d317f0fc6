import { type Model, toModel } from './model.ts';
import { isFrozen, readStock } from './source.ts';
import { useAnswer } from './use-answer.ts';

type Stock = { model: Model; version: string };

/** Reads the stock, and again while somebody looks, unless it is that of a past time. */
export const useStock = (at: string | null) => {
  const isLatest = at === null && !isFrozen;
  const read = async (path: string, before?: Stock) => {
    const stock = await readStock(path, before?.version);
    // What was derived from the model stays valid if nothing is new, so it stays the same object.
    const next = stock ? { model: toModel(stock.data), version: stock.version } : before;
    // The ages grow nevertheless.
    if (isLatest && next) next.model.data.asOf = Date.now();
    return next;
  };
  const path = at === null ? 'stock' : `stock?at=${encodeURIComponent(at)}`;
  const { answer, ...rest } = useAnswer<Stock | undefined>(path, { isRefreshed: isLatest, read });
  return { model: answer?.model, ...rest };
};
