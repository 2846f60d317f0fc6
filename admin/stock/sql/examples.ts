import { readFileSync } from 'node:fs';

/** The examples of docs/sql.md. */
export const readExamples = () => {
  const page = readFileSync(new URL('../../../docs/sql.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^(.*):\n\n```sql\n([^`]*)```/gm)].map(([, title = '', sql = '']) => ({
    title,
    sql: sql.trimEnd(),
  }));
};
