import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, openSync, renameSync, rmSync } from 'node:fs';

/** Starts a new file, which only this user can read. `replace` moves the complete file to `path`, so a kill leaves no incomplete file there. */
export const startReplacement = (path: string) => {
  const newPath = `${path}.${randomUUID()}.new`;
  // 'wx' refuses an existing file, which may be a link to another file.
  const file = openSync(newPath, 'wx', 0o600);
  return {
    append: (piece: string | Uint8Array) => appendFileSync(file, piece),
    replace: () => {
      closeSync(file);
      renameSync(newPath, path);
    },
    /** Works after any failure: the file may be closed already, and its folder may refuse changes. */
    discard: () => {
      for (const step of [() => closeSync(file), () => rmSync(newPath, { force: true })]) {
        try {
          step();
        } catch {}
      }
    },
  };
};
