import { renameSync, writeFileSync } from 'node:fs';

/** Writes beside and then renames, so that whoever reads, or starts after a kill, finds a whole file. For the owner alone. */
export const writeAtomically = (path: string, text: string) => {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};
