import { expect, test } from 'vitest';
import { startConsole, violationsOf, widthOf } from './open-console.ts';

const { open } = startConsole();

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the overview has nothing that axe finds wrong in ${colorScheme} colours`, async () => {
    const page = await open('#/overview', { colorScheme });
    expect(await violationsOf(page)).toEqual([]);
  });
}

test('the overview needs no scrolling to the side on a phone', async () => {
  const page = await open('#/overview', { width: 360 });
  expect(await widthOf(page)).toBe(360);
});
