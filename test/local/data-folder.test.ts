import { chmodSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('a folder of version 0.2 is refused, with what it holds and what to do, and is not changed', () => {
  const data = temporaryFolder();
  const files = { 'secrets.json': '[]', 'outputs.json': '{"Stack":{}}', 'functions.log': 'a line\n' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(data, name), text);
  expect(() => openDataFolder(data, () => {})).toThrow(
    /^\S+ is of version 0\.2\. Its secrets\.json holds .+ To start anew, .+ To keep .+, move secrets\.json away and start again\. .+ docs\/local\.md\.$/,
  );
  const contents = readdirSync(data).map((name) => [name, readFileSync(join(data, name), 'utf8')]);
  expect(Object.fromEntries(contents)).toEqual(files);
});

test('a log on a full disk says once that lines are lost, and has further lines once there is space', () => {
  const data = temporaryFolder();
  const file = join(data, 'functions.log');
  // Each write to the file fails as on a full disk, until the link is removed.
  symlinkSync('/dev/full', file);
  const notices: string[] = [];
  const folder = openDataFolder(data, (notice) => notices.push(notice));
  const log = folder.openLog('functions.log');
  for (const line of ['lost', 'lost, too']) log(line);
  expect(notices).toEqual([`${file} cannot be written, so lines of the log are lost (ENOSPC).`]);
  rmSync(file);
  for (const line of ['kept', 'kept, too']) log(line);
  expect(readFileSync(file, 'utf8')).toBe('\nkept\nkept, too\n');
  folder.release();
});
