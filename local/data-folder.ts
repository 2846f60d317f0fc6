import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from './fault.ts';

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
    this.orFault(() => mkdirSync(this.path, { recursive: true }));
    const holder = this.holder();
    if (holder)
      throw new Fault(
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
      throw new Fault(`${this.path} cannot be written to (${reason}); give another with --data.`);
    }
  }

  private holder() {
    try {
      const pid = Number(readFileSync(this.file('process'), 'utf8'));
      process.kill(pid, 0);
      return pid === process.pid ? undefined : pid;
    } catch {
      return undefined;
    }
  }
}
