import { fileURLToPath } from 'node:url';
import { execute } from './execute.ts';
import { type Recording, startWireTap } from './wire-tap.ts';

type Program = {
  command: [string, ...string[]];
  /** The number of entries of each batch that it sends, by the name of the operation. */
  batches: Record<string, number>;
};

const SMALL = 200;
/** More than 1 MB, where curl begins to send Expect. */
const LARGE = 12_000;

export const programs = {
  curl: {
    command: ['bash', 'curl.sh'],
    batches: {
      balances: SMALL,
      'balances-anyauth': SMALL,
      'balances-large': LARGE,
      'balances-large-anyauth': LARGE,
      'balances-gzip': SMALL,
    },
  },
  'PHP with libcurl': {
    command: ['php', 'php-curl.php'],
    batches: {
      balances: SMALL,
      'balances-expect': SMALL,
      'balances-large': LARGE,
      'balances-large-anyauth': LARGE,
    },
  },
  'PHP with streams': { command: ['php', 'php-streams.php'], batches: { balances: SMALL } },
  'PHP with streams in HTTP/1.0': {
    command: ['php', 'php-streams.php', '1.0'],
    batches: { balances: SMALL },
  },
  'Lua with LuaSocket': {
    command: ['lua5.1', 'lua-socket.lua'],
    batches: { balances: SMALL, 'balances-chunked': SMALL },
  },
  'Python with urllib': { command: ['python3', 'python-urllib.py'], batches: { balances: SMALL } },
  'Python with http.client': {
    command: ['python3', 'python-http-client.py'],
    batches: { balances: SMALL, 'balances-chunked': SMALL },
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
  const answers = stdout.split('\n').filter(Boolean).map(parsed);
  return { ...end, answers, recording: tap.recording() };
};

const folder = fileURLToPath(new URL('programs', import.meta.url));

const parsed = (line: string): Answer => {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`A program printed: ${line}`);
  }
};
