import { chmodSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDataFolder } from '../../local/data-folder.ts';
import { temporaryFolder } from '../support/assembly.ts';

const openFolder = () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  return folder;
};

test('a data folder that other users can change is refused, because they could change the code that the run executes', () => {
  const data = openFolder();
  expect(() => openDataFolder(data, () => {}, temporaryFolder())).toThrow(
    `${data} can be changed by other users. Give another folder with --data.`,
  );
  expect(readdirSync(data)).toEqual([]);
});

test('where other users can change the project itself, the data folder may be as open', () => {
  const data = openFolder();
  openDataFolder(data, () => {}, openFolder()).release();
  expect(readdirSync(data)).toEqual(['lock']);
});
