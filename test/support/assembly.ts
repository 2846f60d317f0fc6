import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, inject } from 'vitest';
import type { Result } from './run-app.ts';

type Properties = Record<string, unknown>;
type EditableResource = { Type: string; Properties: Properties; Metadata: Record<string, unknown> };

type EditableStatement = {
  Action: string | string[];
  Effect: string;
  Resource: unknown;
  Condition?: object;
};

/** A condition that limits a read to these attributes, as in infra/data/tables.ts. */
export const attributesCondition = (names: readonly string[]) => ({
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': names },
  StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
});

type Template = { Resources: Record<string, EditableResource> };

/** The only item that fits. Throws if no item or several items fit, so that a test never uses an item by chance. */
export const onlyMatch = <T>(items: readonly T[], fits: (item: T) => boolean, description = '') => {
  const matches = items.filter(fits);
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return match;
  throw new Error(`There are ${matches.length} matches for ${description || fits}.`);
};

const folders: string[] = [];
export const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-local-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Waits for the synthesis of this test run, and returns its folder. */
export const assembly = async () => {
  const folder = inject('assemblyFolder');
  const failed = join(folder, '../failed');
  while (!existsSync(folder)) {
    if (existsSync(failed)) throw new Error(`The synthesis has failed: ${readFileSync(failed, 'utf8')}`);
    await sleep(50);
  }
  return folder;
};

/** The exit code and the output of the synthesis of this test run. */
export const synthesisResult = async (): Promise<Result> =>
  JSON.parse(readFileSync(join(await assembly(), '../result.json'), 'utf8'));

/** Links the bundles, so that the compile cache serves all copies. */
const copyAssembly = (from: string, to: string) => {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const [original, copy] = [join(from, name), join(to, name)];
    if (statSync(original).isDirectory()) symlinkSync(original, copy, 'dir');
    else copyFileSync(original, copy);
  }
};

/** A copy of a synthesis whose stack has another name. */
export const renamedAssembly = (original: string, name: string) => {
  const folder = join(temporaryFolder(), 'assembly');
  copyAssembly(original, folder);
  const manifest = readFileSync(join(original, 'manifest.json'), 'utf8');
  writeFileSync(join(folder, 'manifest.json'), manifest.replace('"WarehouseControl": {', `"${name}": {`));
  return folder;
};

const editorOf = (folder: string, { Resources }: Template) => {
  const find = (type: string, idPrefix: string) => {
    const entry = Object.entries(Resources).find(
      ([id, { Type }]) => Type === type && id.startsWith(idPrefix),
    );
    if (!entry) throw new Error(`The template has no ${type} ${idPrefix}…`);
    return entry;
  };
  return {
    /** The first resource of a type whose logical id begins with the prefix. */
    resource: (type: string, idPrefix = '') => find(type, idPrefix)[1],
    add: (id: string, Type: string, Properties: Properties) => {
      Resources[id] = { Type, Properties, Metadata: {} };
    },
    remove: (type: string, idPrefix: string) => {
      delete Resources[find(type, idPrefix)[0]];
    },
    /** Replaces a function's bundle with a few lines of CommonJS. */
    replaceCode: (idPrefix: string, code: string) => {
      const asset = `asset.${idPrefix}`;
      mkdirSync(join(folder, asset));
      writeFileSync(join(folder, asset, 'index.js'), code);
      find('AWS::Lambda::Function', idPrefix)[1].Metadata['aws:asset:path'] = asset;
    },
    /** The statements of the policy of a function's role. */
    statementsOf: (idPrefix: string): EditableStatement[] => {
      const { PolicyDocument } = find('AWS::IAM::Policy', `${idPrefix}Role`)[1].Properties;
      return Object(PolicyDocument).Statement;
    },
  };
};
export type EditableAssembly = ReturnType<typeof editorOf>;

/** A copy of the synthesis with an edited template. */
export const editedAssembly = async (edit: (assembly: EditableAssembly) => void) => {
  const folder = join(temporaryFolder(), 'assembly');
  copyAssembly(await assembly(), folder);
  const path = join(folder, 'WarehouseControl.template.json');
  const template: Template = JSON.parse(readFileSync(path, 'utf8'));
  edit(editorOf(folder, template));
  writeFileSync(path, JSON.stringify(template));
  return folder;
};
