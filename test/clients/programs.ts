import { fileURLToPath } from 'node:url';
import { execute } from './execute.ts';
import { type Recording, startWireTap } from './wire-tap.ts';

type Program = {
  command: [string, ...string[]];
  /** The operations that send a batch. */
  batches: readonly string[];
};

/** A large batch is over 1 MB, where curl begins to send Expect. */
export const entryCountOf = (batch: string) => (batch.includes('large') ? 12_000 : 200);

const LARGE = ['balances-large', 'balances-large-anyauth'];

export const programs = {
  curl: {
    command: ['bash', 'curl.sh'],
    batches: ['balances', 'balances-anyauth', ...LARGE, 'balances-gzip'],
  },
  'PHP with libcurl': {
    command: ['php', 'php-curl.php'],
    batches: ['balances', 'balances-expect', ...LARGE],
  },
  'PHP with streams': { command: ['php', 'php-streams.php'], batches: ['balances'] },
  'PHP with streams in HTTP/1.0': { command: ['php', 'php-streams.php', '1.0'], batches: ['balances'] },
  'Lua with LuaSocket': { command: ['lua5.1', 'lua-socket.lua'], batches: ['balances', 'balances-chunked'] },
  'Python with http.client': {
    command: ['python3', 'python-http-client.py'],
    batches: ['balances', 'balances-chunked'],
  },
} satisfies Record<string, Program>;

type Answer = { operation: string; status: number; body: Record<string, unknown> };

export type Outcome = { exitCode: unknown; stderr: string; answers: Answer[]; recording: Recording };

type Account = { baseUrl: string; username: string; password: string };

/** Runs a program with a wire tap between it and the service. */
export const runProgram = async ({ command }: Program, account: Account): Promise<Outcome> => {
  const tap = await startWireTap(account.baseUrl);
  const { stdout, ...end } = await execute(command, folder, {
    BASE_URL: tap.baseUrl,
    USERNAME: account.username,
    PASSWORD: account.password,
    PYTHONDONTWRITEBYTECODE: '1',
  });
  tap.stop();
  const answers = stdout
    .split('\n')
    .filter(Boolean)
    .map((line): Answer => JSON.parse(line));
  return { ...end, answers, recording: tap.recording() };
};

const folder = fileURLToPath(new URL('programs', import.meta.url));
