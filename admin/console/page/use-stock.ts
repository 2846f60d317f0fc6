import { useEffect, useState } from 'preact/hooks';
import { type Model, toModel } from './model.ts';
import { isFrozen, readStock } from './source.ts';

const REFRESHED_EVERY_MS = 30_000;

/** `at` is the time that was asked for. */
type Stock = { at: string | null; model?: Model; failure?: string };

/** Reads the stock, and again now and then while somebody looks. What is shown stays when that fails. */
export const useStock = (at: string | null) => {
  const [state, setState] = useState<Stock>({ at });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    let version: string | undefined;
    const show = (change: (before: Stock) => Stock) =>
      isCurrent && setState((before) => change(before.at === at ? before : { at }));
    const read = async () => {
      if (document.hidden) return;
      try {
        const stock = await readStock(at, version);
        version = stock?.version ?? version;
        // What was derived from the model stays valid if nothing is new, so it stays the same object.
        show(({ model }) => ({ at, ...withAge(stock ? toModel(stock.data) : model, at) }));
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error);
        show((before) => ({ ...before, failure }));
      }
    };
    void read();
    // What was in the past stays as it was.
    const timer = isFrozen || at !== null ? undefined : setInterval(read, REFRESHED_EVERY_MS);
    document.addEventListener('visibilitychange', read);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [at, turn]);
  return { ...(state.at === at ? state : { at }), refresh: () => setTurn(turn + 1) };
};

/** The service answers what it has read before if nothing is new. The ages grow nevertheless. */
const withAge = (model: Model | undefined, at: string | null) => {
  if (model === undefined) return {};
  if (at === null && !isFrozen) model.data.asOf = Date.now();
  return { model };
};
