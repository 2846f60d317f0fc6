#!/usr/bin/env node
// Runs on the Node that `npm ci` installs, because the Node of the shell may be too old.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const inProject = (path) => fileURLToPath(new URL(path, import.meta.url));
const installed = inProject(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`);

if (!existsSync(installed) && !process.features.typescript) {
  process.stderr.write(
    'The admin commands need Node 22.18 or newer, or the packages that `npm ci` installs without --omit=dev.\n',
  );
  process.exit(1);
}

const child = spawn(
  existsSync(installed) ? installed : process.execPath,
  [inProject('cli/main.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// A terminal's Ctrl-C reaches both processes. The child handles it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
