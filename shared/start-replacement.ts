import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, openSync, renameSync, rmSync } from 'node:fs';

/** Starts a file that replaces another once it is whole, so that a kill leaves no incomplete file. Only its owner can read it. */
export const startReplacement = (path: string) => {
  const beside = `${path}.${randomUUID()}.new`;
  // 'wx' refuses an existing file, which may be a link to another file.
  const file = openSync(beside, 'wx', 0o600);
  return {
    append: (piece: string | Uint8Array) => appendFileSync(file, piece),
    replace: () => {
      closeSync(file);
      renameSync(beside, path);
    },
    /** Also after a failure, when the file may be closed and its folder may refuse changes. */
    discard: () => {
      for (const step of [() => closeSync(file), () => rmSync(beside, { force: true })]) {
        try {
          step();
        } catch {}
      }
    },
  };
};
