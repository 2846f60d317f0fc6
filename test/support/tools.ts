import { spawnSync } from 'node:child_process';

type Command = [string, ...string[]];

/** Whether each tool's command succeeds. If not, prints how to install the tools. */
export const hasTools = (tools: Record<string, Command>, packages: string, alternative = '') => {
  const missing = Object.entries(tools)
    .filter(([, [command, ...args]]) => spawnSync(command, args, { stdio: 'ignore' }).status !== 0)
    .map(([name]) => name);
  if (missing.length === 0) return true;
  const install = `sudo apt-get install ${packages}${alternative}`;
  process.stderr.write(`Missing: ${missing.join('; ')}. Install with: ${install}\n`);
  return false;
};

/** The main program of each file `tools.ts`. With --packages, prints the packages of Debian. */
export const runTools = (packages: string, provide: () => boolean) => {
  if (process.argv.includes('--packages')) process.stdout.write(`${packages}\n`);
  else if (!provide()) process.exitCode = 1;
};

export const inNewFolder = (script: string): Command => [
  'sh',
  '-c',
  `cd "$(mktemp -d)" && trap 'rm -r "$PWD"' EXIT && ${script}`,
];

/** Fails if mcs, mono or one of the assemblies is missing. */
export const compileCSharp = (assemblies: readonly string[]) =>
  inNewFolder(
    `echo 'class Nothing {}' >nothing.cs && mcs -target:library ${assemblies.map((file) => `-r:${file}`).join(' ')} nothing.cs && mono --version`,
  );
