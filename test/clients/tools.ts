import { spawnSync } from 'node:child_process';

/** Uses a new folder because mcs overwrites its output file. */
const COMPILE_NOTHING = `cd "$(mktemp -d)" && trap 'rm -r "$PWD"' EXIT && echo 'class Nothing {}' >nothing.cs &&
  mcs -target:library -r:System.Net.Http.dll -r:System.Web.Extensions.dll nothing.cs && mono --version`;

const COMPILE_WITH_GSON = `cd "$(mktemp -d)" && trap 'rm -r "$PWD"' EXIT && java -version &&
  echo 'class Nothing { com.google.gson.Gson gson; }' >Nothing.java &&
  javac --release 8 -cp /usr/share/java/gson.jar Nothing.java`;

/** Each command fails if a tool or a library of the programs is missing. */
const tools = {
  'curl with gzip': ['curl', '--compressed', '--version'],
  'php with its curl extension': ['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
  'lua5.1 with cjson and LuaSocket': ['lua5.1', '-e', 'require "cjson" require "socket.http" require "mime"'],
  'mcs and mono with the assemblies of .NET Framework': ['sh', '-c', COMPILE_NOTHING],
  python3: ['python3', '-c', 'import json, http.client, urllib.request'],
  'java and javac with Gson': ['sh', '-c', COMPILE_WITH_GSON],
  go: ['go', 'version'],
} satisfies Record<string, [string, ...string[]]>;

/** The names in Debian and Ubuntu. */
const PACKAGES =
  'curl php-cli php-curl lua5.1 lua-cjson lua-socket python3 mono-mcs libmono-system-net-http4.0-cil libmono-system-web-extensions4.0-cil default-jdk-headless libgoogle-gson-java golang-go';

const checkTools = () => {
  const missing = Object.entries(tools)
    .filter(([, [command, ...args]]) => spawnSync(command, args, { stdio: 'ignore' }).status !== 0)
    .map(([name]) => name);
  if (missing.length === 0) return;
  process.stderr.write(`Missing: ${missing.join('; ')}. Install with: sudo apt-get install ${PACKAGES}\n`);
  process.exitCode = 1;
};

if (process.argv.includes('--packages')) process.stdout.write(`${PACKAGES}\n`);
else checkTools();
