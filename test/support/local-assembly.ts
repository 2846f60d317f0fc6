import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { untilSynthesized } from './assembly.ts';

type Properties = Record<string, unknown>;
type EditableResource = { Type: string; Properties: Properties; Metadata: Record<string, unknown> };

export type EditableAssembly = {
  /** The only resource of a type, or the first of those whose logical id begins so. */
  resource(type: string, idPrefix?: string): EditableResource;
  remove(type: string, idPrefix: string): void;
  /** Puts a few lines of CommonJS in the place of a function's bundle. */
  replaceCode(idPrefix: string, code: string): void;
  /** The statements of the policy of a function's role. */
  statementsOf(idPrefix: string): { Action: string | string[]; Effect: string; Resource: unknown }[];
};

/** So that the authorizer is asked about every request. */
export const withoutAuthorizerCache = (edited: EditableAssembly) => {
  edited.resource('AWS::ApiGateway::Authorizer').Properties['AuthorizerResultTtlInSeconds'] = 0;
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

const TEMPLATE = 'WarehouseControl.template.json';

/** The synthesis of this run, as it is. */
export const assembly = async () => {
  const folder = inject('assemblyFolder');
  await untilSynthesized(folder);
  return folder;
};

/** With links to the bundles, which are not changed: what Node has compiled of one serves all copies. */
const copyAssembly = (from: string, to: string) => {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [original, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) symlinkSync(original, copy, 'dir');
    else copyFileSync(original, copy);
  }
};

/** A copy of the synthesis with something changed, as if it had been written so. */
export const editedAssembly = async (edit: (assembly: EditableAssembly) => void) => {
  const folder = join(temporaryFolder(), 'assembly');
  copyAssembly(await assembly(), folder);
  const template: { Resources: Record<string, EditableResource> } = JSON.parse(
    readFileSync(join(folder, TEMPLATE), 'utf8'),
  );
  const find = (type: string, idPrefix: string) => {
    const found = Object.entries(template.Resources).find(
      ([id, { Type }]) => Type === type && id.startsWith(idPrefix),
    );
    if (!found) throw new Error(`The template has no ${type} ${idPrefix}…`);
    return found;
  };
  edit({
    resource: (type, idPrefix = '') => find(type, idPrefix)[1],
    remove: (type, idPrefix) => {
      delete template.Resources[find(type, idPrefix)[0]];
    },
    replaceCode: (idPrefix, code) => {
      const asset = `asset.${idPrefix}`;
      mkdirSync(join(folder, asset));
      writeFileSync(join(folder, asset, 'index.js'), code);
      find('AWS::Lambda::Function', idPrefix)[1].Metadata['aws:asset:path'] = asset;
    },
    statementsOf: (idPrefix) => {
      const { PolicyDocument } = find('AWS::IAM::Policy', `${idPrefix}Role`)[1].Properties;
      return Object(PolicyDocument).Statement;
    },
  });
  writeFileSync(join(folder, TEMPLATE), JSON.stringify(template));
  return folder;
};
