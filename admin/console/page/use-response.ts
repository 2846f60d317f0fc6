import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from './source.ts';

type State<T> = { path: string; response?: T | undefined; failure?: string | undefined };

type Options = {
  /** While the page is visible, reads again after each such time, and when the window gets the focus. */
  everyMs?: number;
  /** Reads again when the version changes. */
  version?: number;
};

/**
 * Reads the response at a path. The last response stays if a later read fails. A read that takes longer than `everyMs`, or
 * than the time between two versions, is not stopped. The next read waits for it.
 */
export const useResponse = <T>(path: string, { everyMs, version }: Options = {}) => {
  const [state, setState] = useState<State<T>>({ path });
  const [refreshes, setRefreshes] = useState(0);
  const { response, failure }: State<T> = state.path === path ? state : { path };
  const update = useRef(() => {});
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const read = async () => {
      const next: Omit<State<T>, 'path'> = await get<T>(path, signal).then(
        (response) => ({ response }),
        ({ message }: Error) => ({ failure: message }),
      );
      if (signal.aborted) return;
      setState((last) => ({ path, ...(last.path === path ? { response: last.response } : {}), ...next }));
    };
    let isReading = false;
    let isDue = false;
    update.current = async () => {
      isDue = true;
      if (isReading) return;
      isReading = true;
      while (isDue && !signal.aborted) {
        isDue = false;
        await read();
      }
      isReading = false;
    };
    if (everyMs !== undefined) {
      const updateIfVisible = () => !document.hidden && update.current();
      const timer = setInterval(updateIfVisible, everyMs);
      signal.addEventListener('abort', () => clearInterval(timer));
      addEventListener('focus', updateIfVisible, { signal });
    }
    return () => ending.abort();
  }, [path, everyMs, refreshes]);
  useEffect(() => update.current(), [path, everyMs, version, refreshes]);
  return { response, failure, refresh: () => setRefreshes((count) => count + 1) };
};

type Outcome<T> = { result?: T; failure?: string };

/** Runs work that an admin starts. Keeps the result, or the reason why the work failed. */
export const useWork = <T>() => {
  const [outcome, setOutcome] = useState<Outcome<T>>({});
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<T>) => {
    setBusy(true);
    setOutcome(
      await work().then(
        (result) => ({ result }),
        ({ message }: Error) => ({ failure: message }),
      ),
    );
    setBusy(false);
  };
  return { ...outcome, isBusy, run };
};
