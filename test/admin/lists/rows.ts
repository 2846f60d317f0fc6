import { readRows } from '../../../admin/lists/files/read-rows.ts';
import type { CatalogName } from '../../../shared/tables.ts';

type Content = string | Buffer;

const readContent = (content: Content, name: CatalogName = 'MaterialCodes') =>
  readRows(Buffer.from(content), name, {});

export const read = async (content: Content, name?: CatalogName) => {
  const { rows } = await readContent(content, name);
  return [...rows].map(([identifier, row]) => ({ identifier, ...row }));
};

/** The notices about a file that is accepted. */
export const noticesOf = async (content: Content, name?: CatalogName) =>
  (await readContent(content, name)).notices;

/** The issues of a file, line by line. Empty for a file that is accepted. */
export const issuesOf = (content: Content, name?: CatalogName) =>
  read(content, name).then(
    () => [],
    ({ message }: Error) => message.split('\n'),
  );
