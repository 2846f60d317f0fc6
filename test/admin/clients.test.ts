import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import * as v from 'valibot';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openServer } from '../../local/http.ts';
import { Client, SignInClient, toPlain } from '../../shared/clients/client.ts';
import { hashPassword, isPasswordOf } from '../../shared/clients/password.ts';
import { writeClient } from '../../shared/clients/write-client.ts';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { storedClient } from '../support/clients.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { eventually } from '../support/local-run.ts';
import { itemsOf, startFaultyEngine, testClient } from '../support/tables.ts';
import { tracesOf } from '../support/traces.ts';
import { adminAtTerminal, startAdmin } from './command.ts';
import { adminHereOn, refusal } from './in-process.ts';
import {
  clientItems,
  createClients,
  dataFolder,
  emptyDeployment,
  FIRST_PASSWORD,
  type Item,
  type NamedClient,
  putBatch,
  putItems,
} from './tables.ts';

const NEW_PASSWORD = /^[A-Za-z0-9]{32}$/;
const REMOVED = {
  Client: 'gone',
  UserName: 'old',
  Slot: 1,
  RemovedAt: '2026-01-01T00:00:00.000Z',
  Version: 3,
};

const engine = await startFaultyEngine();
/** The requests to the local run's control server. */
let controlRequests: unknown[] = [];
let controlStatus = 200;
const control = await openServer(async (incoming) => {
  controlRequests.push({ url: incoming.url, ...JSON.parse(await text(incoming)) });
  return { status: controlStatus, body: '{}' };
});
afterAll(async () => {
  control.close();
  await engine.stop();
});

const { names } = await emptyDeployment();
let table: string;
let data: string;
const deploy = async (clients: (string | NamedClient)[], plans = 'standard:3,slow:1') => {
  engine.decide(() => 'through');
  controlRequests = [];
  controlStatus = 200;
  table = await createClients(clients);
  const endpoints = { engine: engine.endpoint, control: control.endpoint };
  data = dataFolder({ ...names, Clients: table }, { ...endpoints, plans });
};
beforeEach(() => deploy(['north', { Client: 'south.1', UserName: 'Юг' }, REMOVED]));

const stored = async (name = 'north') => (await storedClient(testClient(), table, name)).client;
/** Whose password it is: of now, or the previous one. */
const kindOf = async (password: string, name = 'north') => {
  const { Salt = '', Hash = '', PreviousSalt = '', PreviousHash = '' } = await stored(name);
  if (isPasswordOf(password, { Salt, Hash })) return 'current';
  return PreviousHash && isPasswordOf(password, { Salt: PreviousSalt, Hash: PreviousHash })
    ? 'previous'
    : 'none';
};

const clients = (line: string, input?: Parameters<typeof adminHereOn>[2]) =>
  adminHereOn(data, ['clients', ...line.split(' ')], input);
const json = async (line: string) => {
  const { code, stdout, stderr } = await clients(`${line} --json`);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return { rows: JSON.parse(stdout), stderr };
};

/** Decides over each call of an action by its number. */
const onCall = (action: string, decide: (number: number) => Fault | Promise<Fault>) => {
  let number = 0;
  engine.decide((called) => {
    if (called !== action) return 'through';
    number += 1;
    return decide(number);
  });
};

/** Another admin changes the client now, or adds it again. */
const changeElsewhere = async (name = 'north') => {
  const before = await storedClient(testClient(), table, name);
  const change = { Client: name, RemovedAt: undefined, ChangedBy: 'arn:other', Plan: 'slow' };
  await writeClient(testClient(), table, change, before);
};

describe('clients add', () => {
  test('gives each client a slot of its own, and shows its password once', async () => {
    await deploy(['north', 'south.1', REMOVED], 'standard:4,slow:1');
    const { rows } = await json('add east gone --silence-hours 72');
    const common = { BaseUrl: 'https://warehouse.example', Password: expect.stringMatching(NEW_PASSWORD) };
    const slow = await json('add west --plan slow --user-name DOMAIN\\west');
    expect([...rows, ...slow.rows]).toMatchObject([
      { Client: 'east', UserName: 'east', Plan: 'standard', Slot: 3, ...common },
      { Client: 'gone', UserName: 'gone', Plan: 'standard', Slot: 4, ...common },
      { Client: 'west', UserName: 'DOMAIN\\west', Plan: 'slow', Slot: 1, ...common },
    ]);
    const east = await stored('east');
    expect(east).toMatchObject({ SilenceHours: 72, ChangedBy: 'local', Version: 1 });
    expect(await kindOf(rows[0].Password, 'east')).toBe('current');
    expect(controlRequests).toMatchObject([
      { url: '/passwords', client: 'east', password: rows[0].Password },
      { client: 'gone' },
      { client: 'west' },
    ]);
    for (const line of ['list', 'list --removed --csv', 'show east', 'show east --json']) {
      const shown = await clients(line);
      expect(shown.stdout).toContain('east');
      for (const secret of [rows[0].Password, east.Hash, east.Salt])
        expect(tracesOf(String(secret), shown.stdout + shown.stderr)).toEqual([]);
    }
  });

  test('takes the name of a removed client again, if nobody else did', async () => {
    await json('add gone');
    expect(await stored('gone')).toMatchObject({ Version: 4, UserName: 'gone', SilenceHours: 24 });
    expect(await stored('gone')).not.toHaveProperty('RemovedAt');
  });

  test('shares the slot with the fewest clients only on request', async () => {
    await deploy(['north', 'south', { Client: 'west', Slot: 1 }], 'standard:2');
    expect(await clients('add east')).toEqual(refusal('--share: east then shares slot 2 with south.'));
    expect((await json('add east --share')).rows).toMatchObject([{ Slot: 2 }]);
    await clients('remove west --yes');
    // Its slot is its own now.
    expect(await clients('set north --plan standard')).toEqual(refusal(/^north already has these values/));
  });

  test('adds a client once, even if its name is given twice', async () => {
    expect((await json('add east east')).rows).toMatchObject([{ Client: 'east' }]);
  });

  test('shows the passwords of those that it has added when the next one fails', async () => {
    onCall('PutItem', (number) => (number === 1 ? 'through' : 'deny'));
    const { code, stdout, stderr } = await clients('add east west far --share --json');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^west: .* Not written: far\.$/m),
    });
    expect(await kindOf(JSON.parse(stdout)[0].Password, 'east')).toBe('current');
  });

  test('refuses more than 2,000 clients that are not removed', async () => {
    await deploy(['north', REMOVED]);
    const add = (count: number) =>
      clients(`add north ${Array.from({ length: count - 1 }, (_, index) => `c${index}`).join(' ')}`);
    const tooMany = 'A deployment serves up to 2,000 clients. Nothing was changed.';
    expect(await add(2_000)).toEqual(refusal(tooMany));
    // They are few enough, so the first one is the reason.
    expect(await add(1_999)).toEqual(refusal('There is a client north already.'));
  });
});

describe('a password of the admin', () => {
  const line = 'rotate north --password-stdin';

  test.each([
    ['any UTF-8, without the line end', ' ещё один: пароль ', /^The new password/],
    ['a short one, with a warning', 'short-one', /^The password has fewer than 16 characters\. /],
  ])('is %s, and is marked', async (_, password, words) => {
    const { code, stdout, stderr } = await clients(line, { input: `${password}\r\n` });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(words) });
    expect(tracesOf(password, stdout + stderr)).toEqual([]);
    expect(await kindOf(password)).toBe('current');
    expect((await stored()).OwnPassword).toBe(true);
    await json('rotate north --yes');
    expect(await stored()).not.toHaveProperty('OwnPassword');
  });

  test.each([
    ['nothing', '', 'is empty'],
    ['two lines', 'line one\nline two\n', 'control character'],
    ['seven characters', 'seven-7', 'has 7 characters; 8 to 1,024 are accepted'],
    ['more than a header carries', 'x'.repeat(1_025), 'has 1,025 characters'],
    ['what is no UTF-8', Buffer.from([0xff, 0xfe, 0x41]), 'not UTF-8'],
    ['what is the password already', FIRST_PASSWORD, 'north already has this password'],
  ])('is refused if it is %s', async (_, input, reason) => {
    const refused = await clients(line, { input });
    expect(refused).toEqual(refusal(new RegExp(`${reason}.* Nothing was changed\\.`)));
    expect(tracesOf(FIRST_PASSWORD, refused.stderr)).toEqual([]);
    expect((await stored()).Version).toBe(1);
  });

  test('is asked for twice at a terminal, without echo', async () => {
    const terminal = adminAtTerminal(data, ['clients', ...line.split(' '), '--json']);
    const chosen = 'chosen at a terminal';
    await terminal.type(`${chosen}\r`, 'New password');
    await terminal.type(`${chosen}\r`, 'Once more');
    const { code, seen } = await terminal.exit;
    expect(code).toBe(0);
    expect(seen).not.toContain(chosen);
    expect(await kindOf(chosen)).toBe('current');
  });

  test('is refused if it is typed in two ways', async () => {
    const refused = await clients(line, {
      typed: [
        ['New password', 'first-of-two-passwords\r'],
        ['Once more', 'second-of-two-passwords\r'],
      ],
    });
    expect(refused).toEqual(refusal('The two passwords differ. Nothing was changed.'));
    expect(refused.stderr).not.toMatch(/of-two-passwords/);
  });
});

describe('clients rotate', () => {
  test('keeps the current password valid for the overlap, or ends it', async () => {
    const { rows } = await json('rotate north');
    const { PreviousUntil = '', PasswordChangedAt } = await stored();
    expect(Date.parse(PreviousUntil) - Date.parse(PasswordChangedAt)).toBe(24 * HOUR_MS);
    expect([await kindOf(rows[0].Password), await kindOf(FIRST_PASSWORD)]).toEqual(['current', 'previous']);
    expect(controlRequests).toMatchObject([{ client: 'north', password: rows[0].Password }]);

    await json('rotate north --overlap-hours 0 --yes');
    expect(await kindOf(rows[0].Password)).toBe('none');
    expect(await stored()).not.toHaveProperty('PreviousUntil');
  });

  test('asks before it ends a previous password, and --again keeps that one', async () => {
    const lost = (await json('rotate north --overlap-hours 5')).rows[0].Password;
    const { PreviousUntil = '', PasswordChangedAt } = await stored();
    expect(Date.parse(PreviousUntil) - Date.parse(PasswordChangedAt)).toBe(5 * HOUR_MS);
    expect(await clients('rotate north')).toEqual(refusal('Set a new password anyway?', 2));
    expect((await stored()).Version).toBe(2);

    const { rows } = await json('rotate north --again');
    const kinds = await Promise.all([rows[0].Password, FIRST_PASSWORD, lost].map((text) => kindOf(text)));
    expect(kinds).toEqual(['current', 'previous', 'none']);
    expect((await stored()).PreviousUntil).toBe(PreviousUntil);
  });

  test('asks nothing if the previous password is no longer valid', async () => {
    const PreviousUntil = '2026-01-01T00:00:00.000Z';
    await deploy([
      { Client: 'north', PreviousSalt: 'salt', PreviousHash: hashPassword('x').Hash, PreviousUntil },
    ]);
    await json('rotate north');
    expect(await kindOf(FIRST_PASSWORD)).toBe('previous');
  });

  test('--again ends the current password if no previous one is valid', async () => {
    await json('rotate north --again --yes');
    expect(await kindOf(FIRST_PASSWORD)).toBe('none');
  });

  test('says what to do if the password cannot be written to its file', async () => {
    const out = join(temporaryFolder(), 'passwords.csv');
    onCall('PutItem', () => {
      rmSync(dirname(out), { recursive: true });
      return 'through';
    });
    const words = / `clients rotate NAME --again` replaces it\. Written: north\.$/m;
    expect(await clients(`rotate north --out ${out}`)).toEqual(refusal(words));
  });

  test('says what to do if nobody reads the password', async () => {
    const child = startAdmin(data, ['clients', 'rotate', 'north']);
    child.stdout.destroy();
    const words =
      /^A new password that is not shown is lost\. `clients rotate NAME --again` replaces it\. Written: north\.$/m;
    expect(await text(child.stderr)).toMatch(words);
  });

  test('shows the password although Ctrl-C came during the write', async () => {
    onCall('PutItem', () => {
      process.emit('SIGINT', 'SIGINT');
      return 'through';
    });
    const { rows, stderr } = await json('rotate north');
    expect(await kindOf(rows[0].Password)).toBe('current');
    expect(stderr).toMatch(/^Ending after the writes that have already started\.$/m);
  });
});

test.each([
  ['Ctrl-C', 'SIGINT', 130],
  ['the end of the terminal', 'SIGHUP', 129],
] as const)(
  '%s during a write of several keeps the passwords of those before it in their file',
  async (_, signal, code) => {
    const out = join(temporaryFolder(), 'passwords.json');
    const child = startAdmin(data, ['clients', 'add', 'east', 'west', 'far', '--share', '--out', out]);
    const exit = once(child, 'close');
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    onCall('PutItem', async (number): Promise<Fault> => {
      if (number < 2) return 'through';
      child.kill(signal);
      await eventually(() => said.includes('Ending after'));
      // A terminal that has closed takes no words.
      if (signal === 'SIGHUP') child.stderr.destroy();
      return 'through';
    });
    expect(await exit).toEqual([code, null]);
    const rows: { Client: string; Password: string }[] = JSON.parse(readFileSync(out, 'utf8'));
    expect(rows.map(({ Client }) => Client)).toEqual(['east', 'west']);
    for (const { Client, Password } of rows) expect(await kindOf(Password, Client)).toBe('current');
    if (signal === 'SIGINT') expect(said).toMatch(/^Written: .*\nEnded early\. Not written: far\.$/m);
  },
);

/** The texts of a workbook, or of another file. */
const textOf = (path: string) => {
  const bytes = readFileSync(path);
  if (!path.endsWith('.xlsx')) return String(bytes);
  return Object.values(unzipSync(bytes))
    .map((part) => strFromU8(part))
    .join();
};

test.each([
  ['a table', ''],
  ['CSV', '--csv'],
  ['JSON', '--json'],
  ['a pipe with a name', '--json --out passwords.pipe'],
  ['a file .csv', '--out passwords.csv'],
  ['a file .json', '--out passwords.json'],
  ['a file .xlsx', '--out passwords.xlsx'],
])('no password is lost if the command is killed at a later write: %s', async (_, options) => {
  const [file = ''] = options.match(/passwords.*/) ?? [];
  const path = join(temporaryFolder(), file);
  let shown = '';
  const onScreen = (text: string | Buffer) => {
    shown += text;
  };
  const isPipe = file.endsWith('.pipe');
  if (isPipe) {
    execFileSync('mkfifo', [path]);
    createReadStream(path).on('data', onScreen);
  }
  const passwords = () => shown.match(/\b[A-Za-z0-9]{32}\b/g) ?? [];
  let found: string[] = [];
  onCall('PutItem', async (number): Promise<Fault> => {
    if (number < 3) return 'through';
    if (isPipe) await eventually(() => passwords().length === 2);
    else if (file !== '') shown = textOf(path);
    found = file.endsWith('.json') && JSON.parse(shown).length !== 2 ? [] : passwords();
    return 'deny';
  });
  const given = options === '' ? [] : options.replace(/passwords.*/, path).split(' ');
  const { code } = await clients(['add east west far --share', ...given].join(' '), { onScreen });
  expect(code).toBe(1);
  const [east = '', west = ''] = found;
  expect([await kindOf(east, 'east'), await kindOf(west, 'west')]).toEqual(['current', 'current']);
});

test('a kill after a write loses no password, although the other clients are still read for notices', async () => {
  const child = startAdmin(data, ['clients', 'add', 'east', '--csv']);
  const exit = once(child, 'close');
  const printed = text(child.stdout);
  onCall('Scan', async (number): Promise<Fault> => {
    if (number < 2) return 'through';
    child.kill('SIGKILL');
    await exit;
    return 'disconnect';
  });
  expect(await exit).toEqual([null, 'SIGKILL']);
  const [password = ''] = (await printed).match(/\b[A-Za-z0-9]{32}\b/) ?? [];
  expect(await kindOf(password, 'east')).toBe('current');
});

describe('clients lock, unlock, set and remove', () => {
  test('change what they say, and nothing else', async () => {
    const before = await stored();
    await clients('lock north');
    const locked = await stored();
    expect(locked).toEqual({ ...before, Version: 2, ChangedBy: 'local', LockedAt: expect.any(String) });
    await clients('unlock north');
    const { LockedAt, ...others } = locked;
    const unlocked = await stored();
    // The watch may not have told yet that the client was late, or back, before it was locked.
    const FormerSilence = `${before.SilenceFrom}/${LockedAt}/24`;
    expect(unlocked).toEqual({ ...others, Version: 3, SilenceFrom: expect.any(String), FormerSilence });
    expect(Date.parse(unlocked.SilenceFrom)).toBeGreaterThan(Date.parse(before.SilenceFrom));

    for (const plan of ['standard', 'slow']) await clients(`set north --plan ${plan} --user-name Север`);
    expect(await stored()).toEqual({ ...unlocked, Version: 5, Plan: 'slow', Slot: 1, UserName: 'Север' });
    expect(controlRequests).toEqual([{ url: '/passwords', client: 'north' }]);
    await clients('set north --silence-hours 0 --user-name Север --plan slow');
    expect(await stored()).toMatchObject({
      SilenceHours: 0,
      SilenceFrom: expect.not.stringMatching(unlocked.SilenceFrom),
    });
  });

  test('a removal leaves a tombstone without a password', async () => {
    const gone = { Client: 'gone', Slot: 1, SharedWith: [], LateFrom: null };
    expect((await json('show gone')).rows).toMatchObject(gone);
    await json('rotate north');
    await clients('lock north');
    const { Salt, Hash, PreviousSalt, PreviousHash, PreviousUntil, ...kept } = await stored();
    const { code, stderr } = await clients('remove north --yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^north is removed\. /) });
    expect(await stored()).toEqual({ ...kept, Version: 4, RemovedAt: expect.any(String) });
    expect(controlRequests.at(-1)).toEqual({ url: '/passwords', client: 'north' });
    expect((await json('list')).rows.map(({ Client }: NamedClient) => Client)).toEqual(['south.1']);
    expect((await json('list --removed')).rows).toHaveLength(3);
    expect((await json('add next')).rows).toMatchObject([{ Slot: kept.Slot }]);
    expect((await json('show north')).rows).toMatchObject({
      Client: 'north',
      LateFrom: null,
      SharedWith: [],
    });
  });
});

/** Each attribute of an item that is missing, or has another type or value. */
const damages: [name: string, AttributeValue | undefined][] = [
  ...(['SilenceFrom', 'CreatedAt', 'PasswordChangedAt'] as const).flatMap((name) =>
    [undefined, { S: 'yesterday' }, { N: '5' }].map((value): [string, AttributeValue | undefined] => [
      name,
      value,
    ]),
  ),
  ...[undefined, { N: '5' }].map((value): [string, AttributeValue | undefined] => ['ChangedBy', value]),
  ...[undefined, { S: 'one' }, { N: '0' }, { NULL: true as const }].map(
    (value): [string, AttributeValue | undefined] => ['Version', value],
  ),
  ['OwnPassword', { BOOL: false }],
  ['OwnPassword', { S: 'yes' }],
  ['FormerSilence', { N: '1' }],
  ['UserName', undefined],
  ['UserName', { S: 'a:b' }],
  ['Slot', { S: 'first' }],
  ['Plan', { L: [] }],
  ['SilenceHours', { N: '-1' }],
  ['Salt', { B: Uint8Array.of(1) }],
  ['Hash', { S: 'short' }],
  ['PreviousUntil', { S: 'tomorrow' }],
  ['LockedAt', { S: 'yesterday' }],
  ['RemovedAt', { N: '5' }],
];

const attributesOfSignIn = Object.keys(SignInClient.entries);

describe('a client whose item is damaged', () => {
  const damage = async (name: string, value: AttributeValue | undefined) => {
    const { [name]: _, ...others } = clientItems(['north'])[0] ?? {};
    const item = value ? { ...others, [name]: value } : others;
    await putItems(table, [{ ...item, Site: { S: 'Köln' } }]);
    return itemNow();
  };
  const itemNow = async (): Promise<Item> => {
    const items = await itemsOf(table);
    return items.find(({ Client }) => Client?.S === 'north') ?? {};
  };
  const isOpen = (item: Item) => {
    const { success, output } = v.safeParse(SignInClient, toPlain(item));
    return success && !output.LockedAt && !output.RemovedAt;
  };
  const succeeds = async (line: string) => {
    const { code, stdout, stderr } = await clients(line);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^north is |^The new password of north/),
    });
    return { stdout, stderr };
  };

  test.each(damages)('can be locked, rotated, unlocked and removed: %s %o', async (name, value) => {
    const damaged = await damage(name, value);
    expect(isOpen(damaged)).toBe(!attributesOfSignIn.includes(name));
    const { stderr } = await succeeds('lock north');
    const isRepaired = ['LockedAt', 'ChangedBy', 'Version'].includes(name);
    expect(stderr.includes(`Its item is still damaged (${name}). To repair it, remove`)).toBe(!isRepaired);
    const { LockedAt, ChangedBy, Version, ...others } = await itemNow();
    const { LockedAt: _, ChangedBy: __, Version: ___, ...untouched } = damaged;
    expect(others).toEqual(untouched);
    expect([LockedAt, ChangedBy, Version]).toEqual([
      { S: expect.stringMatching(/Z$/) },
      { S: 'local' },
      { N: name === 'Version' ? '1' : '2' },
    ]);
    const { stdout } = await succeeds('rotate north --json --yes');
    const { Salt, Hash } = await itemNow();
    expect(isPasswordOf(JSON.parse(stdout)[0].Password, { Salt: Salt?.S ?? '', Hash: Hash?.S ?? '' })).toBe(
      true,
    );
    const { stderr: unlocked } = await succeeds('unlock north');
    const item = await itemNow();
    expect(item['LockedAt']).toBeUndefined();
    expect(unlocked).toContain(isOpen(item) ? 'It has access within 60 s.' : 'but it cannot sign in.');
    await succeeds('remove north --yes');
    const removed = await itemNow();
    expect(v.parse(Client, toPlain(removed))).toHaveProperty('RemovedAt');
    expect(removed).toMatchObject({ Site: { S: 'Köln' } });
    expect(Object.keys(removed)).not.toEqual(expect.arrayContaining([expect.stringMatching(/Hash|Salt/)]));
    await succeeds('add north');
    expect((await json('list')).stderr).toBe('');
  });
});

describe('a write', () => {
  test.each(['lock north', 'set north --silence-hours 1', 'remove north --yes'])(
    'that Ctrl-C interrupts is completed, and said: %s',
    async (line) => {
      onCall('PutItem', () => {
        process.emit('SIGINT', 'SIGINT');
        return 'through';
      });
      const said = /^Ending after the writes that have already started\.\nnorth is \w+\. .*\n$/;
      expect(await clients(line)).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(said) });
      expect((await stored()).Version).toBe(2);
    },
  );

  const NOTHING_CHANGED =
    /^Somebody else \(arn:other\) has changed north at the same time\. Nothing was changed by this command\. /;

  test.each<[string, Fault, number, RegExp]>([
    ['a change by somebody else', 'through', 1, NOTHING_CHANGED],
    ['a change by somebody else', 'disconnect', 1, NOTHING_CHANGED],
    [
      'two changes',
      'through',
      2,
      /\(arn:other\) .* The change of this command was not made, or was replaced/,
    ],
  ])('that comes after %s (%s) says who was first, and writes nothing', async (_, fault, changes, words) => {
    onCall('PutItem', async (number): Promise<Fault> => {
      for (let count = 0; number === 1 && count < changes; count += 1) await changeElsewhere();
      return fault;
    });
    expect(await clients('rotate north --json')).toEqual(refusal(words));
    expect(await stored()).toMatchObject({ Version: 1 + changes, Plan: 'slow' });
    expect(controlRequests).toEqual([]);
  });

  test('that was followed by a change of somebody else before its retry still shows the password', async () => {
    onCall('PutItem', async (number): Promise<Fault> => {
      if (number === 2) await changeElsewhere();
      return number === 1 ? 'loseResponse' : 'through';
    });
    const { rows } = await json('rotate north');
    expect(await kindOf(rows[0].Password)).toBe('current');
    expect(await stored()).toMatchObject({ Version: 3, Plan: 'slow' });
  });

  test('of a client that was added again since it was read as removed is refused', async () => {
    onCall('GetItem', async (): Promise<Fault> => {
      await changeElsewhere('gone');
      return 'through';
    });
    expect(await clients('add gone')).toEqual(refusal(/^There is a client gone already/));
  });

  test.each<[string, (number: number) => Fault]>([
    ['once', (number) => (number === 1 ? 'loseResponse' : 'through')],
    ['for good', () => 'loseResponse'],
  ])('whose response is lost %s is found to be done', async (_, decide) => {
    onCall('PutItem', decide);
    const { rows } = await json('rotate north');
    expect(await kindOf(rows[0].Password)).toBe('current');
    expect((await stored()).Version).toBe(2);
  });

  test('that did not arrive says that nothing was changed', async () => {
    onCall('PutItem', () => 'disconnect');
    expect(await clients('rotate north')).toEqual(refusal(/ Nothing was changed\.$/m));
    engine.decide((action) => (action === 'PutItem' ? 'deny' : 'through'));
    expect(await clients('lock north')).toEqual(refusal(/^These credentials .* Nothing was changed\.$/m));
  });

  test('whose outcome cannot be read says what to do', async () => {
    let isWritten = false;
    engine.decide((action) => {
      isWritten ||= action === 'PutItem';
      return isWritten ? 'loseResponse' : 'through';
    });
    const words =
      / It is not known whether north was changed\. `clients show north` .* `clients rotate north --again` replaces it\.$/m;
    expect(await clients('rotate north')).toEqual(refusal(words));
  });

  test.each([
    [
      'add gone',
      { UserName: 'gone' },
      /gone and west have the same user name gone.* gone and west share slot 2/,
    ],
    ['set north --user-name new', { UserName: 'new' }, /north and west have the same user name new/],
    ['set north --plan slow', { Plan: 'slow', Slot: 1 }, /north and west share slot 1 of the plan slow, so/],
  ])('that takes what another client has got meanwhile says so: %s', async (line, values, words) => {
    await deploy([
      'a',
      { ...REMOVED, UserName: 'gone', Slot: 2 },
      'north',
      { Client: 'b', UserName: 'a', Slot: 1 },
    ]);
    const west = clientItems([{ Client: 'west', Slot: 2, ...values }]);
    onCall('PutItem', () => putItems(table, west).then(() => 'through'));
    expect((await clients(line)).stderr).toMatch(new RegExp(` 60 s\\. ${words.source}`));
  });

  test('shows the password even if the other clients cannot be read', async () => {
    onCall('Scan', (number) => (number === 2 ? 'deny' : 'through'));
    const { rows, stderr } = await json('add east');
    expect(await kindOf(rows[0].Password, 'east')).toBe('current');
    expect(stderr).toMatch(/^east is .* The other clients cannot be read: These .* `clients list` names/);
  });

  test('whose password the local run does not take says so, and still shows it', async () => {
    controlStatus = 500;
    const { rows, stderr } = await json('rotate north');
    expect(await kindOf(rows[0].Password)).toBe('current');
    expect(stderr).toContain('outputs.json was not updated: The local run responded with status 500.');
  });
});

describe('clients list', () => {
  test('shows the last batch of each client and who is late', async () => {
    const [longAgo, justNow] = ['2026-01-01T00:00:00.000Z', new Date().toISOString()];
    await deploy([
      { Client: 'idle', SilenceHours: 0, SilenceFrom: longAgo },
      { Client: 'late', SilenceFrom: longAgo, OwnPassword: true },
      { Client: 'locked', SilenceFrom: longAgo, LockedAt: longAgo, Slot: 1 },
      { Client: 'new', SilenceFrom: justNow },
      { Client: 'sent', SilenceFrom: longAgo },
    ]);
    for (const name of ['late', 'sent'])
      await putBatch(names.BalanceSnapshots, name, new Date(longAgo), [entryOf('A', 1)]);
    const damaged = [`${justNow}-1`, 'id'].map((S) => ({ Client: { S: 'sent' }, SnapshotId: { S } }));
    await putItems(names.BalanceSnapshots, damaged);
    const { rows, stderr } = await json('list');
    expect(stderr).toMatch(/^Snapshot .* of sent is damaged: ReceivedAt/m);
    expect(rows).toMatchObject([
      { Client: 'idle', State: 'unwatched', LastBatchAt: null, SharedWith: ['locked'], SilenceHours: 0 },
      { Client: 'late', State: 'late', LastBatchAt: longAgo, OwnPassword: true },
      { Client: 'locked', State: 'locked', LockedAt: longAgo, SharedWith: ['idle'], OwnPassword: false },
      { Client: 'new', State: 'on time' },
      { Client: 'sent', State: 'on time', LastBatchAt: justNow },
    ]);
  });

  test('and show leave out a previous password that has ended', async () => {
    await deploy([{ Client: 'north', PreviousUntil: '2026-01-01T00:00:00.000Z' }]);
    expect((await json('show north')).rows).not.toHaveProperty('PreviousUntil');
  });
});
