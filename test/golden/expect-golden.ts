import { expect } from 'vitest';

const RENEW = 'npx vitest run --project all test/golden --update';

/** Compares a text with a file of this folder. */
export const expectGolden = async (text: string, file: string) => {
  const message = `test/golden/${file} has another text. If the new one is right: ${RENEW}`;
  await expect(text, message).toMatchFileSnapshot(file);
};
