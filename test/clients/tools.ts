import { spawnSync } from 'node:child_process';

/** Each ends well only where the command and what the programs need of it are there. */
const tools = {
  'curl with gzip': ['curl', '--compressed', '--version'],
  'php with its curl extension': ['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
  'lua5.1 with cjson and LuaSocket': ['lua5.1', '-e', 'require "cjson" require "socket.http" require "mime"'],
  python3: ['python3', '-c', 'import json, http.client, urllib.request'],
} satisfies Record<string, [string, ...string[]]>;

/** Of Debian and Ubuntu: all that the tools need. */
const PACKAGES = 'curl php-cli php-curl lua5.1 lua-cjson lua-socket python3';

const complainOfMissing = () => {
  const missing = Object.entries(tools)
    .filter(([, [command, ...args]]) => spawnSync(command, args, { stdio: 'ignore' }).status !== 0)
    .map(([name]) => name);
  if (missing.length === 0) return;
  process.stderr.write(`Missing: ${missing.join('; ')}. Install with: sudo apt-get install ${PACKAGES}\n`);
  process.exitCode = 1;
};

if (process.argv.includes('--packages')) process.stdout.write(`${PACKAGES}\n`);
else complainOfMissing();
