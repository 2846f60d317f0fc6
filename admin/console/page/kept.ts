/** What the browser keeps under a name. Null if it keeps nothing, as a person may have chosen. */
export const readKept = <T>(name: string): T | null => {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
};

export const keep = (name: string, value: unknown) => {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Then it lasts until the page is closed.
  }
};
