import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, openSync, renameSync, rmSync } from 'node:fs';

/** Starts a new file that replaces `path` when it is complete, so that a kill leaves no incomplete file. Only its owner can read it. */
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
