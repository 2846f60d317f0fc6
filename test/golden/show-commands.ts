import { adminHereOn } from '../admin/in-process.ts';

export type Line = readonly string[];
export const words = (line: string): Line => line.split(' ');
export const inAllFormats = (...line: Line): Line[] => [line, [...line, '--csv'], [...line, '--json']];

const PASSWORD = /\b[A-Za-z0-9]{32}\b/g;
/** The id of a change of a list. */
const CHANGE = /\d{4}-\d\d-\d\dT[\d:.]{12}Z-[0-9a-f]{8}/g;

/**
 * What a person sees of commands, one after the other: lines on standard error with "! ", then standard output. A name
 * replaces each text that differs from run to run.
 */
export const showCommands = async (
  data: string,
  lines: readonly Line[],
  names: Record<string, string> = {},
) => {
  const shown: string[] = [];
  for (const line of lines) {
    const { code, stdout, stderr } = await adminHereOn(data, line);
    const said = stderr.replaceAll(/^(?=.)/gm, '! ');
    shown.push(`$ ${line.join(' ')}\n${said}${stdout}${code === 0 ? '' : `exit code ${code}\n`}`);
  }
  return Object.entries({ ...names, [data]: '.local', '\uFEFF': '', '\r\n': '\n' }).reduce(
    (text, [found, name]) => text.replaceAll(found, name),
    shown.join('\n').replaceAll(PASSWORD, 'PASSWORD'.padEnd(32, '.')).replaceAll(CHANGE, 'CHANGE'),
  );
};
