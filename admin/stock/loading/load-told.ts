import type { DatabaseSync } from 'node:sqlite';
import type { Session } from '../../deployment/session.ts';
import type { Mark } from '../../told/mark.ts';
import { readMarks } from '../../told/read-marks.ts';
import { changeStock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';

/** Copies from the service what admins have told. Marks that stay the same are not written, because a write makes a new version. */
export const loadTold = async (db: DatabaseSync, { deployment }: Session) => {
  const marks = await readMarks(deployment);
  const write = () => {
    const stored = rowsOf<Mark>(db.prepare(`SELECT * FROM told ORDER BY scope || '|' || kind`));
    if (JSON.stringify(stored) === JSON.stringify(marks)) return;
    db.exec('DELETE FROM told');
    const insert = db.prepare(
      'INSERT INTO told VALUES (:scope, :kind, :by, :at, :note, :until, :severity, :version)',
    );
    for (const mark of marks) insert.run(mark);
  };
  changeStock(db, write, { changesFindings: false });
};
