import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from './startup-error.ts';

/** The folder that keeps the data of a run for the next run. */
export class DataFolder {
  readonly path: string;
  private readonly onProblem: (message: string) => void;
  private lockFile: DatabaseSync | undefined;

  constructor(path: string, onProblem: (message: string) => void) {
    this.path = path;
    this.onProblem = onProblem;
  }

  file(name: string) {
    return join(this.path, name);
  }

  /** Locks the folder for this process, because two runs would damage the engine's file. */
  lock() {
    convertWriteErrors(this.path, () => makeFolder(this.path));
    // SQLite's lock ends with the process, and also works between containers.
    const isFree = convertWriteErrors(this.file('lock'), () => {
      this.lockFile = new DatabaseSync(this.file('lock'));
      return tryLock(this.lockFile);
    });
    if (!isFree)
      throw new StartupError(
        `Another run (process ${this.lockHolder()}) uses ${this.path}. Stop it, or give another folder with --data.`,
      );
    convertWriteErrors(this.file('process'), () => writeFileSync(this.file('process'), String(process.pid)));
  }

  release() {
    rmSync(this.file('process'), { force: true });
    this.lockFile?.close();
  }

  /** Empties the file. A full disk loses lines, but must not end the run. */
  openLog(name: string) {
    const path = this.file(name);
    convertWriteErrors(path, () => writeFileSync(path, ''));
    let isFailing = false;
    return (line: string) => {
      try {
        appendFileSync(path, `${line}\n`);
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.onProblem(`${path} cannot be written, so it loses lines (${reasonOf(error)}).`);
        isFailing = true;
      }
    };
  }

  /** Reports a failure and goes on, because the run does not need the file. */
  tryToWrite(name: string, text: string) {
    try {
      writeAtomically(this.file(name), text);
    } catch (error) {
      this.onProblem(`${error instanceof Error ? error.message : error}`);
    }
  }

  private lockHolder() {
    try {
      return readFileSync(this.file('process'), 'utf8');
    } catch {
      return 'unknown';
    }
  }
}

const SQLITE_BUSY = 5;

const tryLock = (lockFile: DatabaseSync) => {
  try {
    lockFile.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (Object(error).errcode === SQLITE_BUSY) return false;
    throw error;
  }
};

const reasonOf = (error: unknown) => Object(error).errstr ?? Object(error).code ?? error;

const convertWriteErrors = <T>(path: string, action: () => T): T => {
  try {
    return action();
  } catch (error) {
    throw new StartupError(
      `${path} cannot be written (${reasonOf(error)}). Give another folder with --data.`,
    );
  }
};

/** Node's recursive mkdir never returns in a folder that allows no subfolders, such as /proc. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  mkdirSync(path);
};

/** Even after a kill, the file is either complete or unchanged. Only its owner can read it. */
export const writeAtomically = (path: string, text: string) =>
  convertWriteErrors(path, () => {
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  });
