import type { DatabaseSync } from 'node:sqlite';
import type { Session } from '../../deployment/session.ts';
import { type Mark, readMarks } from '../../told/mark.ts';
import { changeStock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';

/** Copies from the service what admins have told. A mark that stays the same is not written, because a write makes a new version. */
export const loadTold = async (db: DatabaseSync, { deployment }: Session) => {
  const marks = await readMarks(deployment);
  changeStock(db, () => {
    const stored = new Set(rowsOf<Mark>(db.prepare('SELECT * FROM told')).map(toText));
    const wanted = new Set(marks.map(toText));
    const forget = db.prepare('DELETE FROM told WHERE scope = ? AND kind = ?');
    for (const { scope, kind } of [...stored.difference(wanted)].map(fromText)) forget.run(scope, kind);
    const insert = db.prepare('INSERT INTO told VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    for (const mark of [...wanted.difference(stored)].map(fromText)) {
      const { scope, kind, by, at, note, until, severity, version } = mark;
      insert.run(scope, kind, by, at, note, until, severity, version);
    }
  });
};

const toText = ({ scope, kind, by, at, note, until, severity, version }: Mark) =>
  JSON.stringify({ scope, kind, by, at, note, until, severity, version });
const fromText = (text: string): Mark => JSON.parse(text);
