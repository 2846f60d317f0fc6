import type { DatabaseSync } from 'node:sqlite';

/** The columns that have the ids of each table. */
const USES = {
  client: ['batch.client', 'balance.client', 'change.client', 'finding.client'],
  material: [
    'balance.material',
    'total.material',
    'material_attribute.material',
    'finding_material.material',
  ],
  unit: ['balance.unit', 'total.unit'],
  orders: ['balance.orders'],
};

/** Old and new ids are in two ranges without a common id, so that no new id equals an old id of another text. */
const MIDDLE = 2 ** 50;
const UPPER_END = 2 ** 52;

/** Gives all texts new ids in the same order, with equal gaps. Call it in a transaction. */
export const spreadIds = (db: DatabaseSync) => {
  for (const [table, uses] of Object.entries(USES)) {
    db.exec('CREATE TEMP TABLE spread (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)');
    db.exec(`INSERT INTO spread SELECT id, ${NEW_ID} FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS rank, count(*) OVER () AS total, max(id) OVER () AS highest FROM ${table}
    )`);
    for (const column of [`${table}.id`, ...uses]) {
      const [target, name] = column.split('.');
      db.exec(`UPDATE main.${target} SET ${name} = (SELECT new FROM spread WHERE old = ${name})
        WHERE ${name} IS NOT NULL`);
    }
    db.exec('DROP TABLE spread');
  }
};

/** Ids of the lower range move to the upper one, and the other way round. */
const NEW_ID = `iif(highest < ${MIDDLE},
  ${MIDDLE} + rank * (${UPPER_END - MIDDLE} / (total + 1)),
  rank * (${MIDDLE} / (total + 1)))`;
