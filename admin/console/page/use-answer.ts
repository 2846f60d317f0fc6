import { useEffect, useState } from 'preact/hooks';
import { get } from './source.ts';

const REFRESHED_EVERY_MS = 30_000;

type State<T> = { path: string; answer?: T; failure?: string };

/** Reads an answer of the server. With `isRefreshed`, reads it again now and then, and when the page is looked at. */
export const useAnswer = <T>(path: string, { isRefreshed = false } = {}) => {
  const [state, setState] = useState<State<T>>({ path });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const change = await get<T>(path).then(
        (answer) => ({ answer }),
        (error: Error) => ({ failure: error.message }),
      );
      if (!isCurrent) return;
      setState((before) => ({
        path,
        ...('answer' in change || before.path !== path ? {} : before),
        ...change,
      }));
    };
    void read();
    const timer = isRefreshed ? setInterval(read, REFRESHED_EVERY_MS) : undefined;
    if (isRefreshed) addEventListener('focus', read);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      removeEventListener('focus', read);
    };
  }, [path, isRefreshed, turn]);
  const { answer, failure }: State<T> = state.path === path ? state : { path };
  return { answer, failure, refresh: () => setTurn(turn + 1) };
};
