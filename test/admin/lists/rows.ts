import { readRows } from '../../../admin/import/read-rows.ts';
import type { CatalogName } from '../../../shared/tables.ts';

/** A file in small pieces, like from a pipe. Characters and lines are split. */
async function* pieces(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const ignore = { notice: () => {} };

export const read = async (content: string | Buffer, name: CatalogName = 'MaterialCodes', size = 7) =>
  [...(await readRows(pieces(Buffer.from(content), size), name, ignore))].map(([identifier, row]) => ({
    identifier,
    ...row,
  }));

/** The notices about a file that is accepted. */
export const noticesOf = async (content: string | Buffer, name: CatalogName = 'MaterialCodes') => {
  const notices: string[] = [];
  await readRows(pieces(Buffer.from(content), 7), name, {
    notice: (notice) => notices.push(notice),
  });
  return notices;
};

/** The faults of a file, line by line. Empty for a file that is accepted. */
export const faultsOf = async (content: string | Buffer, name: CatalogName = 'MaterialCodes') => {
  try {
    await read(content, name, 65_536);
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
};
