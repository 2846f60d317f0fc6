#!/usr/bin/env node
// The executable. It runs on the Node that `npm ci` installs, since the one that a shell finds may be too old.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const inProject = (path) => fileURLToPath(new URL(path, import.meta.url));
const installed = inProject(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`);

const child = spawn(
  existsSync(installed) ? installed : process.execPath,
  [inProject('main.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// A terminal's Ctrl-C reaches both; the child decides what becomes of it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
