import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStrangers } from '../../../shared/strangers.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { explain, Failure } from '../../text/failure.ts';

export const SCHEMA = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');

const stockFolder = () => {
  const { LOCALAPPDATA, WAREHOUSE_ADMIN_CACHE, XDG_CACHE_HOME } = process.env;
  if (WAREHOUSE_ADMIN_CACHE) return WAREHOUSE_ADMIN_CACHE;
  const home = homedir();
  const caches = {
    win32: LOCALAPPDATA ?? join(home, 'AppData', 'Local'),
    darwin: join(home, 'Library', 'Caches'),
    other: XDG_CACHE_HOME || join(home, '.cache'),
  };
  const { platform } = process;
  return join(caches[platform === 'win32' || platform === 'darwin' ? platform : 'other'], 'warehouse-admin');
};

type DeploymentOfFile = Pick<Deployment, 'key' | 'tables'>;

/** The file of a deployment for this schema. A new folder is private. A folder that exists keeps its permissions. */
export const stockFileOf = ({ key, tables }: DeploymentOfFile, folder = stockFolder()) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const strangers = describeStrangers(folder);
    if (strangers !== undefined) throw new Failure(`${folder} ${strangers}`);
    removeUnused(folder);
  } catch (error) {
    throw new Failure(`The folder of the stock files cannot be used: ${explain(error)}. ${WITHOUT_CACHE}`);
  }
  return join(folder, `${hash('sha256', JSON.stringify([SCHEMA, key, tables])).slice(0, 16)}.sqlite`);
};

export const WITHOUT_CACHE = 'With --no-cache, the command needs no file there.';

/** An unused file is likely to be useless after this time: its deployment was deleted, or the schema has changed. */
const UNUSED_AFTER_MS = 30 * DAY_MS;

/** The folder may also have files of other programs. */
const STOCK_FILE_NAME = /^[0-9a-f]{16}\.sqlite$/;

const removeUnused = (folder: string) => {
  const files = readdirSync(folder).filter((name) => STOCK_FILE_NAME.test(name));
  for (const file of files.map((name) => join(folder, name))) {
    const usedAt = [file, `${file}-wal`].map(
      (name) => statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    );
    if (Math.max(...usedAt) < Date.now() - UNUSED_AFTER_MS) removeStockFile(file);
  }
};

/** A process that has the removed file open can still use it. */
export const removeStockFile = (file: string) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
};

const MEMORY = '/dev/shm';
/** More than a deployment with 30 warehouses of 40,000 balances needs. */
const LEAST_MEMORY_BYTES = 2 ** 30;

/** The file of a deployment. With `--no-cache`, a file for this process alone, which `remove` deletes. */
export const chooseStockFile = (deployment: DeploymentOfFile, hasCache = true) => {
  removeAbandonedFolders();
  return hasCache ? { file: stockFileOf(deployment), remove: () => {} } : makeTemporaryFile();
};

/** In memory if enough memory is free. `remove` is also called when the process ends. */
const makeTemporaryFile = () => {
  const folder = makeTemporaryFolder(hasEnoughMemory() ? MEMORY : tmpdir());
  const remove = () => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { file: join(folder, 'stock.sqlite'), remove };
};

/** Makes a folder that only this user can read. If the process is killed, the next one removes the folder. */
export const makeTemporaryFolder = (place = tmpdir()) =>
  mkdtempSync(join(place, `warehouse-admin-${process.pid}-`));

const removeAbandonedFolders = () => {
  for (const place of [MEMORY, tmpdir()]) {
    for (const name of namesIn(place)) {
      const [, pid] = /^warehouse-admin-(\d+)-/.exec(name) ?? [];
      if (pid !== undefined && !isRunning(Number(pid))) removeOwnFolder(join(place, name));
    }
  }
};

const namesIn = (place: string) => {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
};

/** Leaves the folders of other users. A folder that cannot be removed does not concern this command. */
const removeOwnFolder = (folder: string) => {
  try {
    if (describeStrangers(folder) === undefined) rmSync(folder, { recursive: true, force: true });
  } catch {}
};

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
};

const hasEnoughMemory = () => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= LEAST_MEMORY_BYTES;
  } catch {
    return false;
  }
};
