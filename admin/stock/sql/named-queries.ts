import { readdirSync, readFileSync } from 'node:fs';
import { Failure } from '../../text/failure.ts';
import { quote } from '../../text/quote.ts';
import { joinNames } from '../../text/words.ts';

const folder = new URL('../../../queries/', import.meta.url);

export type NamedQuery = { name: string; title: string; sql: string };

/** The queries of the folder `queries`. The first line of each is a comment with its title. */
export const readNamedQueries = (): NamedQuery[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.sql'.length);
      const text = readFileSync(new URL(encodeURIComponent(file), folder), 'utf8').trim();
      const [, title = name] = /^--\s*(.*)/.exec(text) ?? [];
      return { name, title, sql: text.replace(/^--.*\n/, '') };
    });

export const findNamedQuery = (name: string) => {
  const queries = readNamedQueries();
  const found = queries.find((query) => query.name === name);
  if (found) return found.sql;
  throw new Failure(
    `There is no query ${quote(name)}. The queries are ${joinNames(queries.map((query) => query.name))}.`,
  );
};

export const readManual = () => readFileSync(new URL('../../../docs/sql.md', import.meta.url), 'utf8');
