import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartupError } from './startup-error.ts';

/** The files of a local run. They hold all acknowledged data, which survives the end of the run. */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  file(name: string) {
    return join(this.path, name);
  }

  /** Locks the folder for this process, since two runs would damage the engine's file. */
  lock() {
    this.write(() => makeFolder(this.path));
    const holder = this.holder();
    if (holder)
      throw new StartupError(
        `Another run (process ${holder}) uses ${this.path}; end it, or give another with --data.`,
      );
    this.write(() => writeFileSync(this.file('process'), String(process.pid)));
  }

  release() {
    rmSync(this.file('process'), { force: true });
  }

  private write(action: () => unknown) {
    try {
      action();
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? error.code : error;
      throw new StartupError(`${this.path} cannot be written to (${reason}); give another with --data.`);
    }
  }

  private holder() {
    try {
      const pid = Number(readFileSync(this.file('process'), 'utf8'));
      process.kill(pid, 0);
      return pid === process.pid ? undefined : pid;
    } catch (error) {
      // The process exists, but belongs to another user.
      return isCode(error, 'EPERM') ? 'of another user' : undefined;
    }
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

/** Node's recursive mkdir never returns below a parent that allows no folders, such as /proc. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  mkdirSync(path);
};

/** Readers, and a start after a kill, find either the old file or the new one. Only the owner can read it. */
export const writeAtomically = (path: string, text: string) => {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};
