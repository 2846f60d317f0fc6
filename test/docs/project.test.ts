import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../admin/main.ts';
import { assembly } from '../support/assembly.ts';
import { projectFolder } from '../support/local-run.ts';

const inProject = (path: string) => join(projectFolder, path);
const read = (path: string) => readFileSync(inProject(path), 'utf8');

type Package = {
  version: string;
  license: string;
  engines: { node: string };
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const packageJson: Package = JSON.parse(read('package.json'));

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { 'runs-on': string; 'timeout-minutes'?: number; permissions?: unknown; steps: Step[] };
type Workflow = { on: Record<string, unknown>; permissions: unknown; jobs: Record<string, Job> };

const unknownScripts = (text: string) =>
  [...text.matchAll(/\bnpm run ([\w:]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in packageJson.scripts));

describe('the workflow', () => {
  const text = read('.github/workflows/ci.yml');
  const workflow: Workflow = parse(text);
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  test('runs no action but at a commit, whose version stands beside it', () => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    expect(uses).toHaveLength(steps.filter((step) => step.uses).length);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('may read, and nothing else', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(jobs.filter((job) => job.permissions !== undefined)).toEqual([]);
    expect(text).not.toMatch(/secrets\.|pull_request_target/);
    for (const { uses, with: given } of steps) {
      if (uses?.startsWith('actions/checkout@'))
        expect(given).toMatchObject({ 'persist-credentials': false });
    }
  });

  test('runs at pushes to main, at pull requests and by the week, on machines that are named, and ends', () => {
    expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request', 'schedule']);
    for (const job of jobs) {
      expect(job['runs-on']).not.toContain('latest');
      expect(job['timeout-minutes']).toBeGreaterThan(0);
    }
  });

  test('runs what is there: scripts of the package, and files', () => {
    const commands = steps.flatMap(({ run = [] }) => run);
    expect(commands).toEqual(
      expect.arrayContaining(['bash .ci/run', 'npm run synth', 'npm audit --omit=dev']),
    );
    expect(unknownScripts(text)).toEqual([]);
    const files = commands.flatMap((command) => /^bash (\S+)$/.exec(command)?.[1] ?? []);
    expect(files.filter((file) => !existsSync(inProject(file)))).toEqual([]);
  });

  test('installs with the lowest Node that the package allows', () => {
    const lowest = packageJson.engines.node.replace('>=', '');
    expect(workflow.jobs['template']).toMatchObject({
      strategy: { matrix: { node: expect.arrayContaining([lowest]) } },
    });
  });
});

describe('the proposals for updates', () => {
  type Update = {
    'package-ecosystem': string;
    directory: string;
    schedule: { interval: string };
    cooldown: Record<string, number>;
    ignore?: { 'dependency-name': string; versions: string[] }[];
    groups: Record<string, { patterns: string[] }>;
  };
  const { updates }: { updates: Update[] } = parse(read('.github/dependabot.yml'));
  const npm = updates.find((update) => update['package-ecosystem'] === 'npm');
  const dependencies = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies });

  test('come weekly for packages and actions, of releases that have been out for a while', () => {
    const sources = updates.map((update) => `${update['package-ecosystem']} ${update.directory}`);
    expect(sources).toEqual(['npm /', 'npm /bench', 'github-actions /']);
    for (const { schedule, cooldown } of updates) {
      expect(schedule.interval).toBe('weekly');
      expect(cooldown['default-days']).toBeGreaterThan(0);
    }
  });

  test('leave out what must not be taken', () => {
    const ignored = (npm?.ignore ?? []).map((rule) => rule['dependency-name']);
    expect(ignored).toEqual(expect.arrayContaining(['aws-cdk', '@biomejs/biome', 'node']));
    expect(ignored.filter((name) => !dependencies.includes(name))).toEqual([]);
  });

  test('are grouped by patterns of which each means something', () => {
    const patterns = Object.values(npm?.groups ?? {}).flatMap((group) => group.patterns);
    const isMeant = (pattern: string) =>
      dependencies.some((name) =>
        pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
      );
    expect(patterns.filter((pattern) => !isMeant(pattern))).toEqual([]);
  });
});

test('the licence is the one that the package names', () => {
  expect(packageJson.license).toBe('MIT');
  expect(read('LICENSE')).toMatch(/^MIT License\n\nCopyright \(c\) 2026 /);
});

test('the changes lead to the version of the package', () => {
  expect(read('CHANGELOG.md')).toContain(packageJson.version);
});

/** As GitHub makes them of headings. */
const anchorsOf = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

const leadsSomewhere = (page: string, link: string) => {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : join(dirname(page), file);
  if (!existsSync(inProject(target))) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
};

/** Files and folders that are named in a text: those of a room, and tests by their place in theirs. */
const NAMED =
  /`((?:(?:infra|functions|shared|local|admin|bench|test|docs|\.github|\.ci)\/[\w./-]*)|[\w./-]+\.test(?:\.ts)?)`/g;

const isThere = (name: string) =>
  existsSync(inProject(name)) || existsSync(inProject(`test/${name.replace(/\.ts$/, '')}.ts`));

describe('the pages', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: projectFolder }).map((page) => ({
    page,
    text: read(page),
  }));

  test('have no link that leads nowhere', () => {
    const links = pages.flatMap(({ page, text }) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ page, link })),
    );
    const own = links.filter(({ link }) => !link.startsWith('https:'));
    expect(own.length).toBeGreaterThan(50);
    expect(own.filter(({ page, link }) => !leadsSomewhere(page, link))).toEqual([]);
  });

  test('name no file and no script that is not there', () => {
    const named = pages.flatMap(({ page, text }) =>
      [...text.matchAll(NAMED)].map(([, name = '']) => ({ page, name })),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
    expect(pages.flatMap(({ text }) => unknownScripts(text))).toEqual([]);
  });
});

describe('the commands of the pages', () => {
  const operations = read('docs/operations.md');

  test('ask the stack for outputs that it has', async () => {
    const template: { Outputs: Record<string, unknown> } = JSON.parse(
      readFileSync(join(await assembly(), 'WarehouseControl.template.json'), 'utf8'),
    );
    const asked = [...operations.matchAll(/\boutput ([A-Z]\w+)|`(\w+TableName)`/g)];
    const names = asked.map(([, inCommand, inText]) => inCommand ?? inText ?? '');
    expect(names).toContain('BalanceSnapshotsTableName');
    expect(names.filter((name) => !(name in template.Outputs))).toEqual([]);
  });

  /** What `--help` would not know: words that are no command, and options that it does not take. */
  const unknownWords = (program: CommandUnknownOpts, line: string) => {
    const words = line.split(/\s+/);
    const find = (command: CommandUnknownOpts, index: number): [CommandUnknownOpts, string[]] => {
      const next = command.commands.find((each) => each.name() === words[index]);
      return next ? find(next, index + 1) : [command, words.slice(index)];
    };
    const [command, rest] = find(program, 0);
    if (command === program || command.commands.length > 0) return [line];
    const known = new Set([...program.options, ...command.options].map(({ long }) => long));
    return rest.filter((word) => /^--[a-z]/.test(word) && !known.has(word));
  };

  test('call the admin commands as they are', async () => {
    const program = await createProgram();
    const pages = ['docs/operations.md', 'SECURITY.md', 'CONTRIBUTING.md'].map(read).join('\n');
    const lines = [...pages.matchAll(/npx warehouse-admin ([^|<\n`]+)/g)].map(([, line = '']) => line.trim());
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.flatMap((line) => unknownWords(program, line))).toEqual([]);
  });
});
