import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { type FileHandle, open, realpath, rename } from 'node:fs/promises';
import { explain, FAILED, Failure } from './failure.ts';
import { watchInterruption } from './interruption.ts';
import type { Sink } from './output.ts';

/** Pieces are gathered, since a call to the disk for each line takes most of the time. */
const ENOUGH_TO_WRITE = 65_536;

/** Writes beside and then renames, so that nothing that ends too early leaves half a file under the name. */
export const writeFileAtomically = async (path: string, write: (sink: Sink) => Promise<void>) => {
  const target = await realpath(path).catch(() => path);
  if (isNoFile(target)) return orFailure(path, () => writeInto(path, target, 'w', write));
  const beside = `${target}.${randomUUID()}.new`;
  const remove = () => {
    try {
      rmSync(beside, { force: true });
    } catch {
      // Where it could not be made, it cannot be removed either.
    }
  };
  const interruption = watchInterruption({
    onFirst: () => {
      remove();
      process.exit(FAILED);
    },
  });
  try {
    // Never a file that is there: it may be a link to another.
    await writeInto(path, beside, 'wx', write);
    await orFailure(path, () => rename(beside, target));
  } catch (error) {
    remove();
    throw error;
  } finally {
    interruption.stopWatching();
  }
};

/** A device or a pipe takes what is written, and must not be replaced; a folder refuses it. */
const isNoFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === false;

const writeInto = async (
  path: string,
  file: string,
  flags: 'w' | 'wx',
  write: (sink: Sink) => Promise<void>,
) => {
  // For the owner alone: balances are nobody else's business on this machine.
  const handle = await orFailure(path, () => open(file, flags, 0o600));
  try {
    await writeGathered(path, handle, write);
  } finally {
    await handle.close().catch(() => {});
  }
};

const writeGathered = async (path: string, handle: FileHandle, write: (sink: Sink) => Promise<void>) => {
  let gathered = '';
  const flush = async () => {
    const text = gathered;
    gathered = '';
    await orFailure(path, () => handle.appendFile(text));
  };
  await write(async (text) => {
    gathered += text;
    if (gathered.length >= ENOUGH_TO_WRITE) await flush();
  });
  await flush();
};

const orFailure = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${path} cannot be written: ${explain(error)}`);
  }
};
