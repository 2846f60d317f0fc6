import { useState } from 'preact/hooks';

type State<T> = { result?: T; failure?: string };

/** Runs work that an admin starts, and keeps its result or error message. */
export const useWork = <T>() => {
  const [state, setState] = useState<State<T>>({});
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<T>) => {
    setBusy(true);
    setState(
      await work().then(
        (result) => ({ result }),
        ({ message }: Error) => ({ failure: message }),
      ),
    );
    setBusy(false);
  };
  return { ...state, isBusy, run };
};
