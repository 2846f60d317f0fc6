import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { differs, type Row } from './fact.ts';

const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

export const summarize = (rows: readonly Row[]) => {
  const differing = rows.filter(differs).length;
  const agreeing = rows.filter(({ verdict }) => verdict === 'agrees').length;
  return `${agreeing} agree, ${differing} differ, ${rows.length - agreeing - differing} were not tested.`;
};

/** Writes `<date>-<place>.md`, and returns its path. */
export const writeReport = (
  folder: string,
  { place, what, rows, left }: { place: string; what: string; rows: readonly Row[]; left: readonly string[] },
) => {
  const date = new Date().toISOString().slice(0, 10);
  const lines = [
    `# Proof of ${date}, ${place}`,
    '',
    `${what} ${summarize(rows)}`,
    '',
    '| Fact | Expected | Seen | Verdict |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${[row.name, row.expected, row.seen, row.verdict].map(inCell).join(' | ')} |`),
    '',
    '## What remains',
    '',
    ...(left.length > 0 ? left.map((line) => `- ${line}`) : ['Nothing: the stack is destroyed.']),
    '',
  ];
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${date}-${place}.md`);
  writeFileSync(file, lines.join('\n'));
  return file;
};
