import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../admin/main.ts';
import { assembly } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { unknownWords } from './admin-command-line.ts';

const inProject = (path: string) => join(projectFolder, path);
const read = (path: string) => readFileSync(inProject(path), 'utf8');

type Package = {
  engines: { node: string };
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const packageJson: Package = JSON.parse(read('package.json'));

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { permissions?: unknown; steps: Step[] };
type Workflow = { permissions: unknown; jobs: Record<string, Job> };

const unknownScripts = (text: string) =>
  [...text.matchAll(/\bnpm run (\w[\w:-]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in packageJson.scripts));

const workflows = globSync('.github/workflows/*.yml', { cwd: projectFolder }).map((file) => {
  const text = read(file);
  const workflow: Workflow = parse(text);
  const jobs = Object.entries(workflow.jobs);
  return { file, text, workflow, jobs, steps: jobs.flatMap(([, job]) => job.steps) };
});

describe.each(workflows)('the workflow $file', ({ text, workflow, jobs, steps }) => {
  test('pins every action to a commit, with its version in a comment', () => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    expect(uses).toHaveLength(steps.filter((step) => step.uses).length);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('may only read, and gets no secret', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(jobs.filter(([, { permissions }]) => permissions !== undefined)).toEqual([]);
    expect(text).not.toMatch(/secrets\.|pull_request_target/);
    for (const { uses, with: given } of steps) {
      if (uses?.startsWith('actions/checkout@'))
        expect(given).toMatchObject({ 'persist-credentials': false });
    }
  });

  test('runs scripts and files that exist', () => {
    const commands = steps.flatMap(({ run = [] }) => run);
    expect(unknownScripts(text)).toEqual([]);
    const files = commands.flatMap((command) => /^bash (\S+)$/.exec(command)?.[1] ?? []);
    expect(files.filter((file) => !existsSync(inProject(file)))).toEqual([]);
  });
});

describe('the workflows', () => {
  const stepsOf = (name: string) => workflows.find(({ file }) => file.endsWith(`/${name}`))?.steps ?? [];

  test('test each change, and audit what ships', () => {
    expect(stepsOf('ci.yml').map(({ run }) => run)).toEqual(
      expect.arrayContaining(['bash .ci/run', 'npm run synth', 'npm audit --omit=dev']),
    );
  });

  test('installs with the lowest Node that the package allows', () => {
    const lowest = packageJson.engines.node.replace('>=', '');
    const ci = workflows.find(({ file }) => file.endsWith('/ci.yml'));
    expect(ci?.workflow.jobs['template']).toMatchObject({
      strategy: { matrix: { node: expect.arrayContaining([lowest]) } },
    });
  });
});

test('dependabot.yml names every package.json, and only packages that the project has', () => {
  type Update = {
    'package-ecosystem': string;
    directory: string;
    ignore?: { 'dependency-name': string }[];
    groups?: Record<string, { patterns: string[] }>;
  };
  const { updates }: { updates: Update[] } = parse(read('.github/dependabot.yml'));
  const packages = updates.flatMap(({ 'package-ecosystem': ecosystem, directory }): Package[] =>
    ecosystem === 'npm' ? [JSON.parse(read(join('.', directory, 'package.json')))] : [],
  );
  const dependencies = packages.flatMap((source) =>
    Object.keys({ ...source.dependencies, ...source.devDependencies }),
  );
  const lockFiles = globSync(['package-lock.json', '*/package-lock.json', 'test/*/package-lock.json'], {
    cwd: projectFolder,
  });
  expect(packages).toHaveLength(lockFiles.length);
  const patterns = updates.flatMap(({ ignore = [], groups = {} }) => [
    ...ignore.map((rule) => rule['dependency-name']),
    ...Object.values(groups).flatMap((group) => group.patterns),
  ]);
  const matches = (pattern: string) =>
    dependencies.some((name) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    );
  expect(patterns).toEqual(expect.arrayContaining(['aws-cdk', '@biomejs/biome', 'node']));
  expect(patterns.filter((pattern) => !matches(pattern))).toEqual([]);
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
  /`((?:(?:infra|functions|shared|local|admin|bench|test|docs|\.github|\.ci)\/[\w./-]*)|[\w./-]+\.test(?:\.ts)?)`/g;

const fileExists = (name: string) =>
  existsSync(inProject(name)) || existsSync(inProject(`test/${name.replace(/\.ts$/, '')}.ts`));

const pages = globSync(['*.md', 'docs/**/*.md'], {
  cwd: projectFolder,
  exclude: ['**/node_modules/**'],
}).map((page) => ({
  page,
  text: read(page),
}));
/** The pages about today. The changelog also names what is gone. */
const current = pages.filter(({ page }) => page !== 'CHANGELOG.md');

describe('the pages', () => {
  test('have at most 200 lines, and README.md less than 10 KB', () => {
    const long = pages.filter(({ text }) => text.split('\n').length > 201).map(({ page }) => page);
    expect(long).toEqual([]);
    expect(Buffer.byteLength(read('README.md'))).toBeLessThan(10_000);
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
});
