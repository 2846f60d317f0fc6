import { readFileSync } from 'node:fs';

export const readManual = () => readFileSync(new URL('../../../docs/sql.md', import.meta.url), 'utf8');

export const readExamples = () =>
  [...readManual().matchAll(/^(.*):\n\n```sql\n([^`]*)```/gm)].map(([, title = '', sql = '']) => ({
    title,
    sql: sql.trimEnd(),
  }));
