import { existsSync, mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BaseSequencer,
  type Reporter,
  type TestModule,
  type TestProject,
  type TestSequencerConstructor,
  type TestSpecification,
} from 'vitest/node';
import { startEngine } from '../../local/services/engine.ts';
import { runApp } from './run-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    assemblyFolder: string;
    dynamoDbEndpoint: string;
  }
}

/** Vitest's global setup: one compile cache, one engine in memory and one synthesis for all test files. */
export const setup = async (project: TestProject) => {
  const removeTemporary = useMemory();
  const engine = await startEngine(undefined);
  const removeCompileCache = shareFolder('NODE_COMPILE_CACHE');
  // The stock files of the tests must not mix with the stock files of the person who runs the tests.
  const removeStocks = shareFolder('WAREHOUSE_ADMIN_CACHE');
  project.provide('dynamoDbEndpoint', engine.endpoint);
  // The tests of these projects only call the functions, without an assembly.
  const needsAssembly = !['mutation', 'watch'].includes(project.name);
  const removeAssembly = needsAssembly ? synthesizeInBackground(project) : () => {};
  return async () => {
    await Promise.all([engine.stop(), removeAssembly()]);
    removeCompileCache();
    removeStocks();
    removeTemporary();
  };
};

const MEMORY = '/dev/shm';

/** The temporary files of the tests are in memory if 4 GB are free there, because each command of a test opens and closes a stock file. */
const useMemory = () => {
  const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  return bavail * bsize >= 2 ** 32 ? shareFolder('TMPDIR', MEMORY) : () => {};
};

/** A test run starts hundreds of processes that use the same files. Child processes inherit the variable. */
const shareFolder = (variable: string, place = tmpdir()) => {
  if (process.env[variable]) return () => {};
  const folder = mkdtempSync(join(place, 'warehouse-control-shared-'));
  process.env[variable] = folder;
  return () => {
    delete process.env[variable];
    // A process that is just ending may still write.
    rmSync(folder, { recursive: true, maxRetries: 5 });
  };
};

/** Tests that need no synthesis run during the synthesis. The other tests wait for it in `assembly()`. */
const synthesizeInBackground = (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-assembly-'));
  project.provide('assemblyFolder', join(folder, 'assembly'));
  const synthesis = synthesize(folder).catch((error: unknown) =>
    writeFileSync(join(folder, 'failed'), String(error)),
  );
  return async () => {
    await synthesis;
    // The temporary folder of another project may be removed with all that is in it.
    rmSync(folder, { recursive: true, force: true });
  };
};

const synthesize = async (folder: string) => {
  const outdir = join(folder, 'incomplete');
  // Default settings, because the tests must also pass if cdk.json names stages.
  const result = await runApp({ outdir, settings: {}, bundling: true });
  if (result.exitCode !== 0) throw new Error(result.stderr);
  writeFileSync(join(folder, 'result.json'), JSON.stringify(result));
  renameSync(outdir, join(folder, 'assembly'));
};

/** Runs the test files in the order of the patterns that their paths match. Files that match no pattern run last. */
export const runInOrder = (...paths: RegExp[]): TestSequencerConstructor => {
  const placeOf = ({ moduleId }: TestSpecification) => {
    const place = paths.findIndex((path) => path.test(moduleId));
    return place === -1 ? paths.length : place;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      const sorted = await super.sort(files);
      return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
    }
  };
};

/** Ends a run with one line that programs can read. */
export class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (wanted: string) => states.filter((state) => state === wanted).length;
    // A file that does not load has no tests, but it is a failure.
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0);
    process.stdout.write(`${count('passed')} passed, ${count('failed') + broken.length} failed\n`);
  }
}
