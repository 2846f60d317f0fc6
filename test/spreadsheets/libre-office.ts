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

/** `FormulaLocal` reads a text as if a person typed it in the language of the profile. */
const typingMacro = (url: string, cells: Readonly<Record<string, string>>) => {
  const typed = Object.entries(cells).map(
    ([cell, text]) => `sheet.getCellRangeByName("${cell}").FormulaLocal = "${text}"`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Sub Main
Dim options(0) As New com.sun.star.beans.PropertyValue
options(0).Name = "Hidden"
options(0).Value = True
book = StarDesktop.loadComponentFromURL("${url}", "_blank", 0, options())
sheet = book.Sheets.getByIndex(0)
${typed.join('\n')}
book.store()
book.close(True)
End Sub
</script:module>`;
};

/** Starts with a profile of its own, because one profile runs once at a time. */
export const startLibreOffice = (folder: string, { name, language, separator }: Locale) => {
  const profile = join(folder, `profile-${name}`);
  mkdirSync(join(profile, 'user'), { recursive: true });
  writeFileSync(join(profile, 'user/registrymodifications.xcu'), settingsFor(name));
  const csv = `Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,${UTF_8},1,,${language},false`;
  const [opened, saved] = [`${csv},${DETECTS_NO_DATES}`, `${csv},${AS_SHOWN}`];

  const run = (...options: string[]) =>
    promisify(execFile)(SOFFICE, [
      `-env:UserInstallation=${pathToFileURL(profile)}`,
      '--headless',
      ...options,
    ]);

  /** Opens files of one kind and saves each again under the same name, as a person would. Returns the new paths. */
  const save = async (files: readonly string[], from: 'csv' | 'xlsx', to: 'csv' | 'xlsx') => {
    const out = join(folder, `${name}-${from}-to-${to}`);
    await run(
      ...(from === 'csv' ? [`--infilter=${opened}`] : []),
      '--convert-to',
      to === 'csv' ? `csv:${saved}` : to,
      '--outdir',
      out,
      ...files,
    );
    return files.map((file) => join(out, `${basename(file, `.${from}`)}.${to}`));
  };

  /** Types texts into cells of a workbook, and saves it. Only an earlier start makes the folder of macros. */
  const type = async (file: string, cells: Readonly<Record<string, string>>) => {
    const macro = typingMacro(String(pathToFileURL(file)), cells);
    writeFileSync(join(profile, 'user/basic/Standard/Module1.xba'), macro);
    await run('macro:///Standard.Module1.Main');
  };

  return { save, type };
};
