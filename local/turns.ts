/** Returns a function that runs actions one after another, even if an action fails. */
export const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(action: () => Promise<T>): Promise<T> => {
    const result = last.then(action);
    last = result.catch(() => {});
    return result;
  };
};
