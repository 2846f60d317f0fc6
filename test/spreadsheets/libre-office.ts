import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { SOFFICE } from './tools.ts';

/** A language of LibreOffice: its code in filters of CSV, and how it separates cells. */
export type Locale = { name: string; language: number; separator: ',' | ';' };

const settingsFor = (locale: string) => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>
</oor:items>
`;

const UTF_8 = 76;
/** The defaults of the dialogs. */
const DETECTS_NO_DATES = false;
const AS_SHOWN = true;

/** Starts with a profile of its own, because one profile runs once at a time. */
export const startLibreOffice = (folder: string, { name, language, separator }: Locale) => {
  const profile = join(folder, `profile-${name}`);
  mkdirSync(join(profile, 'user'), { recursive: true });
  writeFileSync(join(profile, 'user/registrymodifications.xcu'), settingsFor(name));
  const csv = `Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,${UTF_8},1,,${language},false`;
  const [opened, saved] = [`${csv},${DETECTS_NO_DATES}`, `${csv},${AS_SHOWN}`];

  /** Opens files of one kind and saves each again under the same name, as a person would. Returns the new paths. */
  return async (files: readonly string[], from: 'csv' | 'xlsx', to: 'csv' | 'xlsx') => {
    const out = join(folder, `${name}-${from}-to-${to}`);
    await promisify(execFile)(SOFFICE, [
      `-env:UserInstallation=${pathToFileURL(profile)}`,
      '--headless',
      ...(from === 'csv' ? [`--infilter=${opened}`] : []),
      '--convert-to',
      to === 'csv' ? `csv:${saved}` : to,
      '--outdir',
      out,
      ...files,
    ]);
    return files.map((file) => join(out, `${basename(file, `.${from}`)}.${to}`));
  };
};
