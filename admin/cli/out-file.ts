import { statSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { startReplacement } from '../../shared/start-replacement.ts';
import { explain, FAILED, Failure } from './failure.ts';
import { watchInterruption } from './interruption.ts';
import type { Sink } from './output.ts';

/** Without a buffer, the calls to the disk for each line would need most of the time. */
const BUFFERED_CHARACTERS = 65_536;

export type Write = (sink: Sink) => Promise<void>;

/** Writes a new file and then renames it, so that an early end leaves no incomplete file. */
export const writeFileAtomically = async (path: string, write: Write) => {
  const target = await realpath(path).catch(() => path);
  if (isNoFile(target)) return writeInto(path, target, write);
  const { append, replace, discard } = await orFailure(path, () => startReplacement(target));
  const interruption = watchInterruption({
    onFirst: () => {
      discard();
      process.exit(FAILED);
    },
  });
  try {
    await writeBuffered(path, append, write);
    await orFailure(path, replace);
  } catch (error) {
    discard();
    throw error;
  } finally {
    interruption.stopWatching();
  }
};

/** A device or a pipe must not be replaced. */
const isNoFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === false;

const writeInto = async (path: string, target: string, write: Write) => {
  const handle = await orFailure(path, () => open(target, 'w'));
  try {
    await writeBuffered(path, (piece) => handle.appendFile(piece), write);
  } finally {
    await handle.close().catch(() => {});
  }
};

type Append = (piece: string | Uint8Array) => void | Promise<void>;

const writeBuffered = async (path: string, append: Append, write: Write) => {
  let buffered = '';
  const flush = async () => {
    const text = buffered;
    buffered = '';
    await orFailure(path, () => append(text));
  };
  await write(async (piece) => {
    if (typeof piece === 'string') buffered += piece;
    else await orFailure(path, () => append(piece));
    if (buffered.length >= BUFFERED_CHARACTERS) await flush();
  });
  await flush();
};

const orFailure = async <T>(path: string, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${path} cannot be written: ${explain(error)}`);
  }
};
