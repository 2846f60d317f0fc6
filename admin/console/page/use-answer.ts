import { useEffect, useState } from 'preact/hooks';
import { get } from './source.ts';

const REFRESHED_EVERY_MS = 30_000;

type State<T> = { path: string; answer?: T | undefined; failure?: string | undefined };

type Options<T> = {
  /** Reads again every 30 seconds while the page is visible. The old data stays if that fails. */
  isRefreshed?: boolean;
  read?: (path: string, before?: T) => Promise<T>;
};

export const useAnswer = <T>(path: string, { isRefreshed = false, read = get<T> }: Options<T> = {}) => {
  const [state, setState] = useState<State<T>>({ path });
  const [turn, setTurn] = useState(0);
  const { answer, failure }: State<T> = state.path === path ? state : { path };
  useEffect(() => {
    let isCurrent = true;
    let last = answer;
    const update = async () => {
      let failure: string | undefined;
      try {
        last = await read(path, last);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
      if (isCurrent) setState({ path, answer: last, failure });
    };
    const refresh = () => isRefreshed && !document.hidden && void update();
    void update();
    const timer = setInterval(refresh, REFRESHED_EVERY_MS);
    addEventListener('focus', refresh);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      removeEventListener('focus', refresh);
    };
  }, [path, isRefreshed, turn]);
  return { answer, failure, refresh: () => setTurn(turn + 1) };
};
