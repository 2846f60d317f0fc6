import { relative } from 'node:path';
import { beforeEach } from 'vitest';
import { engineProgram } from '../../local/services/engine-programs.ts';
import { dynaliteGaps } from './dynalite-gaps.ts';
import { projectFolder } from './run-app.ts';

/* On dynalite, expects the tests to fail that cannot pass. A test that passes has to leave the list. */
if (!process.env['DYNAMODB_ENDPOINT'] && engineProgram().name === 'dynalite') {
  beforeEach(({ task }) => {
    const path = relative(projectFolder, task.file.filepath).replaceAll('\\', '/');
    if (dynaliteGaps.some(({ file, title }) => file === path && title === task.name))
      Object.assign(task, { fails: true });
  });
}
