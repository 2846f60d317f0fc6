import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { startReplacement } from '../shared/start-replacement.ts';
import { describeStrangers } from '../shared/strangers.ts';
import { StartupError } from './startup-error.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Opens the folder that keeps the data of a run for the next run. Locks the folder for this process, because two runs
 * would damage the engine's file.
 */
export const openDataFolder = (path: string, onNotice: (message: string) => void, project = PROJECT) => {
  const file = (name: string) => join(path, name);
  if (existsSync(file('secrets.json'))) throw isOfVersion02(path);
  convertWriteErrors(path, () => makeFolder(path));
  const strangers = describeStrangers(path);
  // The folder has code of the functions. Strangers who can change the project's own code gain nothing here.
  if (strangers !== undefined && describeStrangers(project) === undefined)
    throw new StartupError(`${path} ${strangers}. Give another folder with --data.`);
  // SQLite's lock ends with the process, and also works between containers.
  const lock = convertWriteErrors(file('lock'), () => new DatabaseSync(file('lock')));
  const holder = convertWriteErrors(file('lock'), () => lockOrFindHolder(lock));
  if (holder !== undefined)
    throw new StartupError(
      `Another run (process ${holder}) uses ${path}. Stop it, or give another folder with --data.`,
    );
  return {
    path,
    file,
    release: () => lock.close(),
    /** Empties the file, and returns a function that adds a line. On a full disk, lines are lost, but the run continues. */
    openLog: (name: string) => {
      convertWriteErrors(file(name), () => writeFileSync(file(name), ''));
      let isFailing = false;
      return (line: string) => {
        try {
          // A full disk may have cut off the previous line.
          appendFileSync(file(name), `${isFailing ? '\n' : ''}${line}\n`);
          isFailing = false;
        } catch (error) {
          if (!isFailing)
            onNotice(`${file(name)} cannot be written, so lines of the log are lost (${reasonOf(error)}).`);
          isFailing = true;
        }
      };
    },
  };
};

const isOfVersion02 = (path: string) =>
  new StartupError(
    [
      `${path} is of version 0.2. Its secrets.json holds the user names and passwords of the clients, which this version does not read.`,
      'To start anew, delete the folder, or give another folder with --data.',
      'To keep its lists, changes and batches, move secrets.json away and start again. To keep its user names and passwords, too, see "The data folder" in docs/local.md.',
    ].join(' '),
  );

/** Node's mkdirSync with the option `recursive` never ends for a path below /proc. */
const makeFolder = (path: string) => {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
};

const SQLITE_BUSY = 5;

/** Locks the file. If another process has locked it, returns the id of that process. */
const lockOrFindHolder = (lockFile: DatabaseSync) => {
  try {
    lockFile.exec(`PRAGMA user_version = ${process.pid}; BEGIN IMMEDIATE`);
    return undefined;
  } catch (error) {
    if (Object(error).errcode !== SQLITE_BUSY) throw error;
    return lockFile.prepare('PRAGMA user_version').get()?.['user_version'];
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

export const writeAtomically = (path: string, text: string) =>
  convertWriteErrors(path, () => {
    const { append, replace, discard } = startReplacement(path);
    try {
      append(text);
      replace();
    } catch (error) {
      discard();
      throw error;
    }
  });

export const readJson = <T>(path: string, schema: v.GenericSchema<unknown, T>): T => {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new StartupError(
      `${path} is damaged. Delete the data folder to start with new data, or give another folder with --data.`,
    );
  }
};
