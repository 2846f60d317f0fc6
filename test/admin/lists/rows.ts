import { inWordsOfCommands } from '../../../admin/cli/terminal/terminal.ts';
import { readRows } from '../../../admin/lists/files/read-rows.ts';
import { messageOf } from '../../../admin/text/failure.ts';
import type { ListName } from '../../../shared/tables.ts';

type Content = string | Buffer;

const readContent = (content: Content, name: ListName = 'MaterialCodes') =>
  readRows(Buffer.from(content), name, {});

export const read = async (content: Content, name?: ListName) => {
  const { rows } = await readContent(content, name);
  return [...rows].map(([identifier, row]) => ({ identifier, ...row }));
};

/** The notices about a file that is accepted. */
export const noticesOf = async (content: Content, name?: ListName) =>
  (await readContent(content, name)).notices;

/** The issues of a file, line by line. Empty for a file that is accepted. */
export const issuesOf = (content: Content, name?: ListName) =>
  read(content, name).then(
    () => [],
    (error: unknown) => inWordsOfCommands(messageOf(error)).split('\n'),
  );

/** A JSON file with a value of so many levels. */
export const nestedIn = (levels: number) =>
  `[{"MaterialCode":"A","Deep":${'['.repeat(levels)}${']'.repeat(levels)}}]`;
