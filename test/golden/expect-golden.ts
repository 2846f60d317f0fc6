import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const RENEW = 'npx vitest run --project all test/golden --update';

const compared = new Set<string>();

/** Compares a text with a file of this folder. */
export const expectGolden = async (text: string, file: string) => {
  const message = `test/golden/${file} has another text. If the new one is right: ${RENEW}`;
  compared.add(file);
  await expect(text, message).toMatchFileSnapshot(file);
};

/** The last test of a test file. Its golden files have a folder of their own. */
export const testEachIsCompared = (folder: string) =>
  test(`each file of ${folder} is compared by a test`, () => {
    const files = readdirSync(new URL(folder, import.meta.url)).map((name) => `${folder}/${name}`);
    expect(files.filter((file) => !compared.has(file))).toEqual([]);
  });
