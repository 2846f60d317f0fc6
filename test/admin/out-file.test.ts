import { execFileSync } from 'node:child_process';
import {
  chownSync,
  lchownSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeOutFile } from '../../admin/cli/terminal/interruption.ts';
import { Failure } from '../../admin/text/failure.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { runProgram } from './command.ts';

const folder = temporaryFolder();
const text = (path: string) => readFileSync(path, 'utf8');
const write = (path: string, ...pieces: string[]) =>
  writeOutFile(path, async (sink) => {
    for (const piece of pieces) await sink(piece);
  });

describe('a file that is written', () => {
  test('has all of it, is for its owner alone, and leaves nothing beside it', async () => {
    const path = join(folder, 'whole');
    const pieces = ['a', 'b'.repeat(200_000), 'c'];
    await write(path, ...pieces);
    expect(text(path)).toBe(pieces.join(''));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['whole']);
  });

  test('replaces an existing one only once it is whole', async () => {
    const path = join(folder, 'replaced');
    writeFileSync(path, 'before');
    const failing = writeOutFile(path, async (sink) => {
      await sink('half');
      throw new Failure('The table is gone.');
    });
    await expect(failing).rejects.toThrow('The table is gone.');
    expect(text(path)).toBe('before');
    await write(path, 'after');
    expect(text(path)).toBe('after');
    expect(readdirSync(folder).filter((name) => name.startsWith('replaced'))).toEqual(['replaced']);
  });

  test('is the target of a link', async () => {
    const [path, link] = [join(folder, 'target'), join(folder, 'link')];
    writeFileSync(path, 'before');
    symlinkSync(path, link);
    await write(link, 'after');
    expect(text(path)).toBe('after');
  });

  test('is not the target of a link that another user has made', async () => {
    const [path, link] = [join(folder, 'precious'), join(folder, 'link of another')];
    writeFileSync(path, 'before');
    symlinkSync(path, link);
    const isRoot = process.geteuid?.() === 0;
    // Only root can give the link to another user.
    if (isRoot) lchownSync(link, 1, 1);
    const refusal = await write(link, 'after').catch(({ message }) => message);
    expect(refusal).toBe(isRoot ? `${link} cannot be written: it is a link of another user` : undefined);
    expect(text(path)).toBe(isRoot ? 'before' : 'after');
  });

  test('is not written into a pipe that another user has made', async () => {
    const path = join(folder, 'pipe of another');
    execFileSync('mkfifo', [path]);
    const isRoot = process.geteuid?.() === 0;
    // Only root can give the pipe to another user.
    if (isRoot) chownSync(path, 1, 1);
    const reader = isRoot ? undefined : readFile(path, 'utf8');
    const refusal = await write(path, 'secret').catch(({ message }) => message);
    expect(refusal).toBe(isRoot ? `${path} cannot be written: it is a pipe of another user` : undefined);
    expect(await reader).toBe(isRoot ? undefined : 'secret');
  });

  test.each([
    ['a folder', () => folder, 'that is a folder'],
    ['in no folder', () => join(folder, 'none', 'file'), 'there is no such file or folder'],
    ['below a file', () => join(folder, 'whole', 'file'), 'part of the path is a file'],
  ])('is refused with a reason: %s', async (_, path, words) => {
    await expect(write(path(), 'text')).rejects.toThrow(`${path()} cannot be written: ${words}`);
  });

  test('leaves nothing beside it after SIGTERM', async () => {
    const script = join(folder, 'endless.ts');
    const [module, path] = [join(projectFolder, 'admin/cli/terminal/interruption.ts'), join(folder, 'ended')];
    writeFileSync(
      script,
      `import { endOnInterruption, writeOutFile } from ${JSON.stringify(module)};
       endOnInterruption();
       setInterval(() => {}, 1000);
       await writeOutFile(${JSON.stringify(path)}, async () => {
         process.kill(process.pid, 'SIGTERM');
         await new Promise(() => {});
       });`,
    );
    const stderr = `Ended early. ${path} was not written.\n`;
    expect(await runProgram([process.execPath, script])).toEqual({ code: 143, stdout: '', stderr });
    expect(readdirSync(folder).filter((name) => name.startsWith('ended'))).toEqual([]);
  });
});
