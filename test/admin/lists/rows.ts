import { readRows } from '../../../admin/import/read-rows.ts';
import type { CatalogName } from '../../../shared/tables.ts';

/** A file in small pieces, like from a pipe. Characters and lines are split. */
async function* pieces(bytes: Buffer) {
  const size = Math.max(7, Math.ceil(bytes.length / 1_000));
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

type Content = string | Buffer;

export const read = async (content: Content, name: CatalogName = 'MaterialCodes', notices: string[] = []) => {
  const notice = (text: string) => notices.push(text);
  const rows = await readRows(pieces(Buffer.from(content)), name, { notice });
  return [...rows].map(([identifier, row]) => ({ identifier, ...row }));
};

/** The notices about a file that is accepted. */
export const noticesOf = async (content: Content, name?: CatalogName) => {
  const notices: string[] = [];
  await read(content, name, notices);
  return notices;
};

/** The faults of a file, line by line. Empty for a file that is accepted. */
export const faultsOf = (content: Content, name?: CatalogName) =>
  read(content, name).then(
    () => [],
    ({ message }: Error) => message.split('\n'),
  );
