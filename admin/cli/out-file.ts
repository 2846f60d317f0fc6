import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { open, realpath, rename } from 'node:fs/promises';
import { explain, FAILED, Failure } from './failure.ts';
import { watchInterruption } from './interruption.ts';
import type { Sink } from './output.ts';

/** Without a buffer, the calls to the disk for each line would need most of the time. */
const BUFFERED_CHARACTERS = 65_536;

export type Write = (sink: Sink) => Promise<void>;

/** Writes a new file and then renames it, so that an early end leaves no incomplete file. */
export const writeFileAtomically = async (path: string, write: Write) => {
  const target = await realpath(path).catch(() => path);
  if (isNoFile(target)) return orFailure(path, () => writeInto(path, target, 'w', write));
  const beside = `${target}.${randomUUID()}.new`;
  const remove = () => {
    try {
      rmSync(beside, { force: true });
    } catch {
      // The file may not exist, or its folder may refuse changes.
    }
  };
  const interruption = watchInterruption({
    onFirst: () => {
      remove();
      process.exit(FAILED);
    },
  });
  try {
    // 'wx' refuses an existing file, which may be a link to another file.
    await writeInto(path, beside, 'wx', write);
    await orFailure(path, () => rename(beside, target));
  } catch (error) {
    remove();
    throw error;
  } finally {
    interruption.stopWatching();
  }
};

/** A device or a pipe must not be replaced. */
const isNoFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === false;

const writeInto = async (path: string, file: string, flags: 'w' | 'wx', write: Write) => {
  // Only the owner may read balances.
  const handle = await orFailure(path, () => open(file, flags, 0o600));
  let buffered = '';
  const flush = async () => {
    const text = buffered;
    buffered = '';
    await orFailure(path, () => handle.appendFile(text));
  };
  try {
    await write(async (piece) => {
      if (typeof piece === 'string') buffered += piece;
      else await orFailure(path, () => handle.appendFile(piece));
      if (buffered.length >= BUFFERED_CHARACTERS) await flush();
    });
    await flush();
  } finally {
    await handle.close().catch(() => {});
  }
};

const orFailure = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${path} cannot be written: ${explain(error)}`);
  }
};
