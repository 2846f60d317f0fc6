import { useEffect, useState } from 'preact/hooks';
import { get } from './source.ts';

type State<T> = { path: string; response?: T | undefined; failure?: string | undefined };

type Options = {
  /** The pause before the next read, while the page is visible, and when it comes to the front. */
  everyMs?: number;
  /** Reads again when it changes. */
  version?: string;
};

/** What the console has at a path. The old data stays if reading it again fails. */
export const useResponse = <T>(path: string, { everyMs, version }: Options = {}) => {
  const [state, setState] = useState<State<T>>({ path });
  const [turn, setTurn] = useState(0);
  const { response, failure }: State<T> = state.path === path ? state : { path };
  useEffect(() => {
    const ended = new AbortController();
    const update = async () => {
      const next: Omit<State<T>, 'path'> = await get<T>(path, ended.signal).then(
        (response) => ({ response }),
        ({ message }: Error) => ({ failure: message }),
      );
      if (ended.signal.aborted) return;
      setState((last) => ({ path, ...(last.path === path ? { response: last.response } : {}), ...next }));
    };
    void update();
    if (everyMs !== undefined) {
      const refresh = () => !document.hidden && void update();
      const timer = setInterval(refresh, everyMs);
      ended.signal.addEventListener('abort', () => clearInterval(timer));
      addEventListener('focus', refresh, ended);
    }
    return () => ended.abort();
  }, [path, everyMs, version, turn]);
  return { response, failure, refresh: () => setTurn((last) => last + 1) };
};

type Outcome<T> = { result?: T; failure?: string };

/** Runs work that an admin starts, and keeps its result or error message. */
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
