import { statSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { startReplacement } from '../../shared/start-replacement.ts';
import { describeTrap } from '../../shared/strangers.ts';
import { explain, Failure } from '../text/failure.ts';
import type { Sink } from '../text/output.ts';

/** A call to the disk for each line would take most of the time. */
const BUFFERED_CHARACTERS = 65_536;

type Write<T> = (sink: Sink) => Promise<T>;

type Options = {
  /** Gets `discard`, which removes the new file. Returns a function that stops the watching. */
  watch?: (discard: () => void) => () => void;
  /** How long a text for a device or a pipe may grow before it is written. */
  buffered?: number | undefined;
};

/** Writes a new file and then renames it, so that an early end leaves no incomplete file. */
export const writeFileAtomically = async <T>(
  path: string,
  write: Write<T>,
  { watch = () => () => {}, buffered }: Options = {},
): Promise<T> => {
  // A link could lead to a file that only this user can replace, and a pipe to somebody who reads the data.
  const trap = await orFailure(path, () => describeTrap(path));
  if (trap !== undefined) throw new Failure(`${path} cannot be written: it ${trap}`);
  const target = await realpath(path).catch(() => path);
  if (isDeviceOrPipe(target)) return writeToDevice(path, write, buffered);
  const { append, replace, discard } = await orFailure(path, () => startReplacement(target));
  const stopWatching = watch(discard);
  try {
    const result = await writeBuffered(path, append, write);
    await orFailure(path, replace);
    return result;
  } catch (error) {
    discard();
    throw error;
  } finally {
    stopWatching();
  }
};

/** A device or a pipe must not be replaced. */
export const isDeviceOrPipe = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === false;

const writeToDevice = async <T>(path: string, write: Write<T>, buffered?: number) => {
  const handle = await orFailure(path, () => open(path, 'w'));
  try {
    return await writeBuffered(path, (piece) => handle.appendFile(piece), write, buffered);
  } finally {
    await handle.close().catch(() => {});
  }
};

type Append = (piece: string | Uint8Array) => void | Promise<void>;

const writeBuffered = async <T>(
  path: string,
  append: Append,
  write: Write<T>,
  maxBuffered = BUFFERED_CHARACTERS,
) => {
  let buffered = '';
  const flush = async () => {
    const text = buffered;
    buffered = '';
    await orFailure(path, () => append(text));
  };
  const result = await write(async (piece) => {
    if (typeof piece === 'string') buffered += piece;
    else await orFailure(path, () => append(piece));
    if (buffered.length >= maxBuffered) await flush();
  });
  await flush();
  return result;
};

const orFailure = async <T>(path: string, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${path} cannot be written: ${explain(error)}`);
  }
};
