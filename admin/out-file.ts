import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Failure } from './failure.ts';
import type { Sink } from './output.ts';

/** Writes beside and then renames, so that nothing that ends too early leaves half a file under the name. */
export const writeFileWhole = async (path: string, write: (sink: Sink) => Promise<void>) => {
  const beside = `${path}.new`;
  const stream = createWriteStream(beside, { mode: 0o600 });
  const failed = once(stream, 'error').then(([error]) => {
    throw new Failure(`${path} cannot be written: ${error.message}`);
  });
  try {
    await Promise.race([failed, writeTo(stream, write)]);
    await rename(beside, path);
  } catch (error) {
    stream.destroy();
    await rm(beside, { force: true });
    throw error;
  }
};

const writeTo = async (stream: NodeJS.WritableStream, write: (sink: Sink) => Promise<void>) => {
  await write(async (text) => {
    if (!stream.write(text)) await once(stream, 'drain');
  });
  await new Promise<void>((resolve) => stream.end(resolve));
};
