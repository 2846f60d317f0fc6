import type { DatabaseSync } from 'node:sqlite';
import type { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { rowsOf } from '../stock/database/rows.ts';
import { readConcerns } from '../stock/tables/work.ts';
import { MAX_ROWS, writeMessage } from './write-message.ts';

/** The message to a warehouse about all its open concerns of the moment that the findings show. Undefined if there are none. */
export const readMessage = (db: DatabaseSync, client: string, zone: string) => {
  const [row] = rowsOf<{ item: string }>(db.prepare('SELECT item FROM client WHERE name = ?'), client);
  const item: Partial<ClientWithoutHashes> = JSON.parse(row?.item ?? '{}');
  const concerns = readConcerns(db, { scope: client, rows: MAX_ROWS }).filter(
    ({ state }) => state === 'open',
  );
  const recipient = { client, displayName: item.DisplayName, language: item.Language };
  const message = writeMessage(recipient, concerns, zone);
  return message && { ...message, contact: item.Contact ?? null };
};
