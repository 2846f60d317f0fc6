/** Returns a function that runs each action after the one before, even if that failed. */
export const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(action: () => Promise<T>): Promise<T> => {
    const result = last.then(action);
    last = result.catch(() => {});
    return result;
  };
};
