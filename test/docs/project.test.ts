import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../admin/cli/main.ts';
import { toSettings } from '../../infra/settings/settings.ts';
import * as limits from '../../shared/limits.ts';
import { assembly, onlyMatch } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { unknownWords } from './admin-command-line.ts';

const inProject = (path: string) => join(projectFolder, path);
const read = (path: string) => readFileSync(inProject(path), 'utf8');

const packageJson: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

const unknownScripts = (text: string) =>
  [...text.matchAll(/\bnpm run (\w[\w:-]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in packageJson.scripts));

const workflows = globSync('.github/workflows/*.yml', { cwd: projectFolder });

test.each(workflows)('%s pins every action to a commit, may only read, and gets no secret', (file) => {
  const text = read(file);
  const uses = text.match(/\buses:.*/g) ?? [];
  expect(uses.length).toBeGreaterThan(0);
  for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(text.match(/\bpermissions:\s+.*/g)).toEqual([expect.stringMatching(/contents: read$/)]);
  expect(text).not.toMatch(/secrets\.|pull_request_target/);
});

/** The anchors that GitHub makes of headings. */
const anchorsOf = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

const linkExists = (page: string, link: string) => {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : join(dirname(page), file);
  if (!existsSync(inProject(target))) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
};

/** Files and folders named in a text: by their path in the project, or for tests below test/. */
const NAMED =
  /`((?:(?:infra|functions|shared|local|admin|bench|test|docs|\.github|\.ci)\/[\w./-]*)|[\w./-]+\.test(?:\.ts)?|interface\/[\w/]+)`/g;

const fileExists = (name: string) =>
  [name, `test/${name}`, `test/${name}.ts`].some((path) => existsSync(inProject(path)));

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: projectFolder }).map((page) => ({
  page,
  text: read(page),
}));
/** The pages about today. A changelog also names what is gone. */
const current = pages.filter(({ page }) => !page.startsWith('CHANGELOG'));

describe('the pages', () => {
  test('have at most 200 lines, and README.md at most 8 KB', () => {
    const long = pages.filter(({ text }) => text.split('\n').length > 201).map(({ page }) => page);
    expect(long).toEqual([]);
    expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(8_192);
  });

  test('have no mark of a merge', () => {
    expect(pages.filter(({ text }) => /^(<{7}|>{7}) /m.test(text)).map(({ page }) => page)).toEqual([]);
  });

  test('have no broken link', () => {
    const links = pages.flatMap(({ page, text }) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ page, link })),
    );
    const own = links.filter(({ link }) => !link.startsWith('https:'));
    expect(own.length).toBeGreaterThan(50);
    expect(own.filter(({ page, link }) => !linkExists(page, link))).toEqual([]);
  });

  test('name no file and no script that does not exist', () => {
    const named = current.flatMap(({ page, text }) =>
      [...text.matchAll(NAMED)].map(([, name = '']) => ({ page, name })),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ name }) => !fileExists(name))).toEqual([]);
    expect(current.flatMap(({ text }) => unknownScripts(text))).toEqual([]);
  });
});

const { throttle, plans } = toSettings({});
const [standard] = plans;

/** A page, how a line of it begins, and limits that the line has. */
const LIMITS: [string, string, (number | undefined)[]][] = [
  ['README.md', '- **A batch is stored whole', [limits.MAX_BATCH_ENTRIES]],
  ['docs/integration.md', '| `MaterialCodes` |', [limits.MAX_BATCH_ENTRIES]],
  ['docs/integration.md', '| `MaterialCode` |', [limits.MAX_MATERIAL_CODE_LENGTH]],
  ['docs/integration.md', '| `StockBalance` |', [limits.MIN_BALANCE_MAGNITUDE, limits.MAX_BALANCE]],
  ['docs/integration.md', '| `StockBalanceUnit` |', [limits.MAX_UNIT_LENGTH]],
  ['docs/integration.md', '| `PurchaseOrders` |', [limits.MAX_PURCHASE_ORDERS_PER_ENTRY]],
  ['docs/integration.md', '- `errors` lists', [limits.MAX_LISTED_ERRORS]],
  ['docs/integration.md', '| JSON, and `detail` has "40', [limits.MAX_BATCH_ENTRIES]],
  ['docs/integration.md', '| entries per batch', [limits.MAX_BATCH_ENTRIES]],
  ['docs/integration.md', '| your requests', [standard?.burst, standard?.rate]],
  ['docs/integration.md', '| your batches', [standard?.batches?.burst, standard?.batches?.rate]],
  ['docs/integration.md', '| requests of all clients', [throttle.burst, throttle.ratePerSecond]],
  ['docs/contract.md', '| A MaterialCode is', [limits.MAX_MATERIAL_CODE_LENGTH]],
  ['docs/contract.md', '| A StockBalanceUnit ', [limits.MAX_UNIT_LENGTH]],
  ['docs/contract.md', '| A StockBalance beyond', [limits.MAX_BALANCE]],
  ['docs/contract.md', '| A StockBalance nearer', [limits.MIN_BALANCE_MAGNITUDE]],
  ['docs/contract.md', '| PurchaseOrders is', [limits.MAX_PURCHASE_ORDERS_PER_ENTRY]],
  ['docs/contract.md', '| The first ', [limits.MAX_LISTED_ERRORS]],
];

test.each(LIMITS)('%s has in the line "%s…" the limits %j', (page, beginning, expected) => {
  const line = onlyMatch(read(page).split('\n'), (line) => line.startsWith(beginning));
  const numbers = line.match(/\d[\d,]*(?:\.\d+)?(?:e-?\d+)?/g) ?? [];
  expect(numbers.map((number) => Number(number.replaceAll(',', '')))).toEqual(
    expect.arrayContaining(expected),
  );
});

describe('the commands on the pages', () => {
  const commands = current.map(({ text }) => text).join('\n');

  test('read outputs that the stack has', async () => {
    const template: { Outputs: Record<string, unknown> } = JSON.parse(
      readFileSync(join(await assembly(), 'WarehouseControl.template.json'), 'utf8'),
    );
    const asked = [...commands.matchAll(/(?:\$\(|^)output ([A-Z]\w+)|`(\w+TableName)`/gm)];
    const names = asked.map(([, inCommand, inText]) => inCommand ?? inText ?? '');
    expect(names).toContain('BalanceSnapshotsTableName');
    expect(names.filter((name) => !(name in template.Outputs))).toEqual([]);
  });

  test('are commands and options of the admin program', async () => {
    const program = await createProgram();
    const lines = [...commands.matchAll(/npx warehouse-admin (?:--local )?([a-z][^|<\n`]+)/g)].map(
      ([, line = '']) => line.trim(),
    );
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.flatMap((line) => unknownWords(program, line))).toEqual([]);
  });

  test('begin with npx, as a shell in the folder of the project needs it', () => {
    expect(commands.match(/^warehouse-admin .*/gm)).toBeNull();
  });
});

/** The test files that each promise names. */
const promises = read('docs/contract.md')
  .split('\n')
  .filter((line) => /^\| (?!Promise|---)/.test(line))
  .map((row) =>
    [...row.matchAll(/`([\w./-]+\.test|interface\/[\w/]+)`/g)].map(([, file = '']) => `test/${file}.ts`),
  );

test('every promise names its test, and every test file of the interface has a promise', () => {
  expect(promises.length).toBeGreaterThan(50);
  expect(promises.filter((files) => files.length === 0)).toEqual([]);
  const importing = read('test/interface/service.test.ts').matchAll(/'\.\/([\w/]+\.ts)'/g);
  const imported = [...importing].map(([, file = '']) => file);
  const there = globSync('*.ts', { cwd: inProject('test/interface') });
  const others = ['service.test.ts', 'service.ts'];
  const wanted = ['hostile/hostile.ts', ...there.filter((file) => !others.includes(file))];
  expect(imported.toSorted()).toEqual(wanted.toSorted());
  expect(imported.filter((file) => !promises.flat().includes(`test/interface/${file}`))).toEqual([]);
});

test('a journey of the browser has a title of at most 12 words, and at most 20 lines', () => {
  const files = globSync('test/browser/*.browser.ts', { cwd: projectFolder });
  const journeys = files.flatMap((file) => [
    ...read(file).matchAll(/^( *)test\('(.*?)', async .*?^\1\}\);$/gms),
  ]);
  expect(journeys.length).toBeGreaterThan(50);
  const long = journeys.filter(
    ([text, , title = '']) => text.split('\n').length > 20 || title.split(' ').length > 12,
  );
  expect(long.map(([, , title]) => title)).toEqual([]);
});
