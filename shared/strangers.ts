import { lstatSync, statSync } from 'node:fs';

/* On Windows, a file has no number of its owner, and the folders of a user are private. So nobody is a stranger there. */

const me = process.geteuid?.();

/** Bits of a mode: the group, and all others, may write. */
const WRITABLE_BY_OTHERS = 0o022;

/** Says why another user can put files into a folder. Returns undefined if only this user can. */
export const describeStrangers = (path: string, user = me) => {
  if (user === undefined) return undefined;
  const folder = statSync(path);
  // The owner of a link can change where it leads.
  if ([lstatSync(path), folder].some(({ uid }) => uid !== user)) return 'belongs to another user';
  return folder.mode & WRITABLE_BY_OTHERS ? 'can be changed by other users' : undefined;
};

/**
 * Says if another user has put a link or a pipe there, for what this user writes. Those of root, such as /dev/stdout, are for
 * all users.
 */
export const describeTrap = (path: string, user = me) => {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined || user === undefined || [user, 0].includes(file.uid)) return undefined;
  if (file.isSymbolicLink()) return 'is a link of another user';
  return file.isFIFO() ? 'is a pipe of another user' : undefined;
};
