import { readRows } from '../../../admin/lists/read-rows.ts';
import type { CatalogName } from '../../../shared/catalog.ts';

/** In small pieces, as a pipe may bring a file: no sign and no line comes whole. */
async function* pieces(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export const read = async (content: string | Buffer, name: CatalogName = 'MaterialCodes', size = 7) =>
  [...(await readRows(pieces(Buffer.from(content), size), name))].map(([identifier, row]) => ({
    identifier,
    ...row,
  }));

/** What is wrong with a file, line by line; empty where it is taken. */
export const faultsOf = async (content: string | Buffer, name: CatalogName = 'MaterialCodes') => {
  try {
    await read(content, name, 65_536);
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
};
