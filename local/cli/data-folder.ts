import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartupError } from './startup-error.ts';

/** The files of a local run. Whatever has been acknowledged is in here, and survives the run however it ends. */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  file(name: string) {
    return join(this.path, name);
  }

  /** Takes the folder for this process; two runs on one engine's file would damage it. */
  take() {
    this.orFault(() => makeFolder(this.path));
    const holder = this.holder();
    if (holder)
      throw new StartupError(
        `Another run (process ${holder}) uses ${this.path}; end it, or give another with --data.`,
      );
    this.orFault(() => writeFileSync(this.file('process'), String(process.pid)));
  }

  release() {
    rmSync(this.file('process'), { force: true });
  }

  private orFault(write: () => unknown) {
    try {
      write();
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
      // Not permitted to ask: it runs, and is somebody else's.
      return isCode(error, 'EPERM') ? 'of another user' : undefined;
    }
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

/** Not by the library's own recursion, which never ends where a parent takes no folders, such as /proc. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  mkdirSync(path);
};
