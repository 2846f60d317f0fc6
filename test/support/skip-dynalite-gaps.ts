import { relative } from 'node:path';
import { beforeEach } from 'vitest';
import { engineProgram } from '../../local/services/engine-programs.ts';
import { dynaliteGaps } from './dynalite-gaps.ts';
import { projectFolder } from './run-app.ts';

/* Skips the tests that cannot pass on dynalite, when the tests run on dynalite. On other engines it does nothing. */
if (!process.env['DYNAMODB_ENDPOINT'] && engineProgram().name === 'dynalite') {
  beforeEach(({ task, skip }) => {
    const path = relative(projectFolder, task.file.filepath).replaceAll('\\', '/');
    const gap = dynaliteGaps.find(({ file, title }) => file === path && title === task.name);
    if (gap) skip(`dynalite lacks ${gap.lacks}`);
  });
}
