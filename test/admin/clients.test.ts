import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import * as v from 'valibot';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openServer } from '../../local/http.ts';
import { Client, toPlain } from '../../shared/clients/client.ts';
import { isPasswordOf } from '../../shared/clients/password.ts';
import { writeClient } from '../../shared/clients/write-client.ts';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
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
  putItems,
} from './tables.ts';

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
const deploy = async (clients: (string | NamedClient)[], plans = 'standard:4,slow:1') => {
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

const expectPasswords = async (rows: { Client: string; Password: string }[]) => {
  expect(rows.map(({ Client }) => Client)).toEqual(['east', 'west']);
  for (const { Client, Password } of rows) expect(await kindOf(Password, Client)).toBe('current');
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

const onPut = (decide: Parameters<typeof onCall>[1]) => onCall('PutItem', decide);

const interrupt = (): Fault => {
  process.emit('SIGINT', 'SIGINT');
  return 'through';
};

/** Another admin changes the client now, or adds it again. */
const changeElsewhere = async (name = 'north') => {
  const before = await storedClient(testClient(), table, name);
  const change = { Client: name, RemovedAt: undefined, ChangedBy: 'arn:other', Plan: 'slow' };
  await writeClient(testClient(), table, change, before);
  return 'through' as const;
};

describe('clients add', () => {
  test('stores the hash of the password, which no later command shows, and tells it to the local run', async () => {
    const { rows } = await json('add east gone --silence-hours 72');
    const east = await stored('east');
    expect(east).toMatchObject({ SilenceHours: 72, ChangedBy: 'local', Version: 1 });
    expect(await kindOf(rows[0].Password, 'east')).toBe('current');
    const told = { url: '/passwords', client: 'east', password: rows[0].Password };
    expect(controlRequests).toMatchObject([told, { client: 'gone' }]);
    for (const line of ['list', 'list --removed --csv', 'show east', 'show east --json']) {
      const shown = await clients(line);
      expect(shown.stdout).toContain('east');
      for (const secret of [rows[0].Password, east.Hash, east.Salt])
        expect(tracesOf(String(secret), shown.stdout + shown.stderr)).toEqual([]);
    }
  });

  test('refuses more than 2,000 clients that are not removed', async () => {
    await deploy(['north', REMOVED]);
    const add = (count: number) =>
      clients(`add north ${Array.from({ length: count - 1 }, (_, index) => `c${index}`).join(' ')}`);
    const tooMany = 'A deployment serves up to 2\u202f000 clients. Nothing was changed.';
    expect(await add(2_000)).toEqual(refusal(tooMany));
    // So many are allowed, but north is one of them.
    expect(await add(1_999)).toEqual(refusal('There is a client north already.'));
  });
});

describe('a password of the admin', () => {
  const line = 'rotate north --password-stdin';

  test.each([
    ['any UTF-8, without the line end', ' ещё один: пароль ', /^The new password/],
    ['one of 1,024 characters', 'ü'.repeat(1_024), /^The new password/],
    ['one of 8 characters, with a warning', 'short-8!', /^The password has fewer than 16 characters\. /],
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
    ['seven characters', 'seven-7', 'has 7 characters; 8 to 1\u202f024 are accepted'],
    ['more than a header carries', 'x'.repeat(1_025), 'has 1\u202f025 characters'],
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
  test.each([
    [['rotate north'], ['previous', 'current'], 24],
    [['rotate north', 'rotate north --overlap-hours 0 --yes'], ['none', 'none', 'current'], undefined],
    [['rotate north --overlap-hours 5', 'rotate north --again'], ['previous', 'none', 'current'], 5],
    [['rotate north --again --yes'], ['none', 'current'], undefined],
  ])('%j leaves the passwords, from the first to the last one: %j', async (lines, kinds, overlapHours) => {
    const passwords = [FIRST_PASSWORD];
    const changedAt: string[] = [];
    for (const line of lines) {
      passwords.push((await json(line)).rows[0].Password);
      changedAt.push((await stored()).PasswordChangedAt);
    }
    expect(await Promise.all(passwords.map((password) => kindOf(password)))).toEqual(kinds);
    const { PreviousUntil } = await stored();
    const overlap = PreviousUntil && (Date.parse(PreviousUntil) - Date.parse(changedAt[0] ?? '')) / HOUR_MS;
    expect(overlap).toBe(overlapHours);
    expect(controlRequests).toMatchObject(
      passwords.slice(1).map((password) => ({ client: 'north', password })),
    );
  });

  test('asks before it ends a previous password', async () => {
    await json('rotate north');
    expect(await clients('rotate north')).toEqual(refusal('Set a new password anyway?', 2));
    expect((await stored()).Version).toBe(2);
  });

  test('says what to do if the password cannot be written to its file', async () => {
    const out = join(temporaryFolder(), 'passwords.csv');
    onPut(() => {
      rmSync(dirname(out), { recursive: true });
      return 'through';
    });
    const words =
      /passwords\.csv cannot be written: .* `clients rotate NAME --again` replaces it\. Written: north\.$/m;
    expect(await clients(`rotate north --out ${out}`)).toEqual(refusal(words));
  });

  test('says what to do if nobody reads the password', async () => {
    const child = startAdmin(data, ['clients', 'rotate', 'north']);
    child.stdout.destroy();
    const words =
      /^A new password that is not shown is lost\. `clients rotate NAME --again` replaces it\. Written: north\.$/m;
    expect(await text(child.stderr)).toMatch(words);
  });
});

describe('a new password is shown', () => {
  test.each<[string, Parameters<typeof onPut>[0], string]>([
    ['Ctrl-C came during the write', interrupt, 'Ending after the writes that have already started.'],
    ['the responses of all writes were lost', () => 'loseResponse', 'works after at most 60 s'],
    [
      'somebody else has changed the client before a lost write was repeated',
      (number) => (number === 1 ? 'loseResponse' : changeElsewhere()),
      'works after at most 60 s',
    ],
  ])('although %s', async (_, decide, said) => {
    onPut(decide);
    const { rows, stderr } = await json('rotate north');
    expect(await kindOf(rows[0].Password)).toBe('current');
    expect(stderr).toContain(said);
  });

  test('although the local run does not take it, which is said', async () => {
    controlStatus = 500;
    const { rows, stderr } = await json('rotate north');
    expect(await kindOf(rows[0].Password)).toBe('current');
    expect(stderr).toContain('outputs.json was not updated: The local run responded with status 500.');
  });

  test('before the other clients are read for notices, and although they cannot be read', async () => {
    let shown = '';
    let shownBefore = '';
    onCall('Scan', (number) => {
      if (number === 1) return 'through';
      shownBefore = shown;
      return 'deny';
    });
    const onScreen = (text: string) => {
      shown += text;
    };
    const { stderr } = await clients('add east --csv', { onScreen });
    const [password = ''] = shownBefore.match(/\b[A-Za-z0-9]{32}\b/) ?? [];
    expect(await kindOf(password, 'east')).toBe('current');
    expect(stderr).toMatch(/^east is .* The other clients cannot be read: These .* `clients list` names/m);
  });
});

test('the end of the terminal during a write of several keeps the passwords of those before it in their file', async () => {
  const out = join(temporaryFolder(), 'passwords.json');
  const child = startAdmin(data, ['clients', 'add', 'east', 'west', 'far', '--share', '--out', out]);
  const exit = once(child, 'close');
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  onPut(async (number): Promise<Fault> => {
    if (number < 2) return 'through';
    child.kill('SIGHUP');
    await eventually(() => said.includes('Ending after'));
    // A terminal that has closed takes no words.
    child.stderr.destroy();
    return 'through';
  });
  expect(await exit).toEqual([129, null]);
  await expectPasswords(JSON.parse(readFileSync(out, 'utf8')));
});

test('Ctrl-C during a write of several shows the passwords of those before it, and says who was not added', async () => {
  onPut((number) => (number === 2 ? interrupt() : 'through'));
  const { code, stdout, stderr } = await clients('add east west far --share --json');
  expect(code).toBe(130);
  expect(stderr).toMatch(/\nEnded early\. Not written: far\.\n$/);
  await expectPasswords(JSON.parse(stdout));
});

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
])(
  'the passwords of earlier writes are shown before a later write begins, which then fails: %s',
  async (_, options) => {
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
    onPut(async (number): Promise<Fault> => {
      if (number < 3) return 'through';
      if (isPipe) await eventually(() => passwords().length === 2);
      else if (file !== '') shown = textOf(path);
      // A JSON file must be whole at each moment.
      found = file.endsWith('.json') && JSON.parse(shown).length !== 2 ? [] : passwords();
      return 'deny';
    });
    const given = options === '' ? [] : options.replace(/passwords.*/, path).split(' ');
    const { code, stderr } = await clients(['add east west far wide --share', ...given].join(' '), {
      onScreen,
    });
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stderr).toMatch(/^far: .* Not written: wide\.$/m);
    const [east = '', west = ''] = found;
    expect([await kindOf(east, 'east'), await kindOf(west, 'west')]).toEqual(['current', 'current']);
  },
);

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

  test('details are written, shown, removed by an empty text, and not kept for a new client', async () => {
    const details = { Contact: 'Jürgen L.\nlager@example.com', DisplayName: 'München-Süd', Language: 'de' };
    await clients(
      'add east --contact Jürgen\tL.\r\nlager@example.com --display-name München-Süd --language de',
    );
    expect(await stored('east')).toMatchObject(details);
    expect((await json('list')).rows).toContainEqual(expect.objectContaining({ Client: 'east', ...details }));
    expect((await clients('list')).stdout).toContain('east (München-Süd)');
    expect((await clients('show east')).stdout).toContain('lager@example.com');
    await clients('set east --contact= --language ru');
    expect(await stored('east')).toMatchObject({ DisplayName: 'München-Süd', Language: 'ru', Version: 2 });
    expect(await stored('east')).not.toHaveProperty('Contact');
    await clients('set east --contact private');
    await clients('remove east --yes');
    expect(await stored('east')).not.toHaveProperty('Contact');
    await clients('add east');
    for (const name of Object.keys(details)) expect(await stored('east')).not.toHaveProperty(name);
  });

  test.each([
    ['set north --language fr', 'A language is one of en, de, ru. Nothing was changed.'],
    [
      `set north --contact ${'a'.repeat(501)}`,
      'A contact has up to 500 characters, without control characters. Nothing was changed.',
    ],
    [
      'set north --display-name a\tb',
      'A display name has up to 100 characters, in one line. Nothing was changed.',
    ],
    ['set north --contact=', 'north already has these values. Nothing was changed.'],
    [
      'add a b --contact c',
      '--user-name, --contact, --display-name and --password-stdin go with one client only.',
    ],
  ])('wrong details change nothing: %s', async (line, words) => {
    expect((await clients(line)).stderr).toContain(words);
    expect(await stored()).not.toHaveProperty('DisplayName');
  });

  test('a removal leaves a tombstone without a password', async () => {
    await json('rotate north');
    await clients('lock north');
    const { Salt, Hash, PreviousSalt, PreviousHash, PreviousUntil, ...kept } = await stored();
    const { code, stderr } = await clients('remove north --yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^north is removed\. /) });
    expect(await stored()).toEqual({ ...kept, Version: 4, RemovedAt: expect.any(String) });
    expect(controlRequests.at(-1)).toEqual({ url: '/passwords', client: 'north' });
    expect((await json('list')).rows.map(({ Client }: NamedClient) => Client)).toEqual(['south.1']);
    expect((await json('add next')).rows).toMatchObject([{ Slot: kept.Slot }]);
    await json('add north');
    // The watch may not have told yet that the client was late before it was locked.
    const FormerSilence = `${kept.SilenceFrom}/${kept.LockedAt}/24`;
    expect(await stored()).toMatchObject({ Version: 5, UserName: 'north', FormerSilence });
    expect(await stored()).not.toHaveProperty('RemovedAt');
  });
});

describe('a client whose item is damaged', () => {
  /** The attributes that a command writes or removes. */
  const written = {
    lock: ['LockedAt', 'ChangedBy', 'Version'],
    unlock: ['LockedAt', 'SilenceFrom', 'FormerSilence', 'ChangedBy', 'Version'],
    rotate: [
      ...['Salt', 'Hash', 'PreviousSalt', 'PreviousHash', 'PreviousUntil'],
      ...['PasswordChangedAt', 'OwnPassword', 'ChangedBy', 'Version'],
    ],
  };
  const repaired = expect.not.stringMatching(/damaged|cannot sign in/);
  const previousEnds = expect.stringMatching(/60 s\. The previous password ends with this change\.\n$/);
  const stillDamaged = expect.stringMatching(
    /^north is locked\. .* Its item is still damaged \(\w+\)\. To repair it, remove the client and add it again\.$/m,
  );
  const cannotSignIn = expect.stringMatching(
    /^north is changed, but it cannot sign in\. Its item is still damaged/,
  );
  type Action = keyof typeof written;
  /** Undefined stands for an attribute that is missing. */
  const each = (attribute: string, values: (AttributeValue | undefined)[], action: Action, said: string) =>
    values.map((value) => [attribute, value, action, said] as const);
  const times = [undefined, { S: 'yesterday' }, { N: '5' }];
  const damages = [
    ...each('SilenceFrom', times, 'unlock', repaired),
    ...each('CreatedAt', times, 'lock', stillDamaged),
    ...each('PasswordChangedAt', times, 'rotate', repaired),
    ...each('Version', [undefined, { S: 'one' }, { N: '0' }, { NULL: true }], 'lock', repaired),
    ...each('ChangedBy', [undefined, { N: '5' }], 'lock', repaired),
    ...each('OwnPassword', [{ BOOL: false }], 'lock', stillDamaged),
    ...each('OwnPassword', [{ S: 'yes' }], 'rotate', repaired),
    ...each('FormerSilence', [{ N: '1' }], 'unlock', repaired),
    ...each('UserName', [undefined], 'lock', stillDamaged),
    ...each('UserName', [{ S: 'a:b' }], 'rotate', cannotSignIn),
    ...each('Slot', [{ S: 'first' }], 'rotate', cannotSignIn),
    ...each('Plan', [{ L: [] }], 'unlock', cannotSignIn),
    ...each('SilenceHours', [{ N: '-1' }], 'unlock', cannotSignIn),
    ...each('Salt', [{ B: Uint8Array.of(1) }], 'rotate', previousEnds),
    ...each('Hash', [{ S: 'short' }], 'rotate', previousEnds),
    ...each('Hash', [{ S: 'short' }], 'unlock', cannotSignIn),
    ...each('PreviousUntil', [{ S: 'tomorrow' }], 'rotate', repaired),
    ...each('LockedAt', [{ S: 'yesterday' }], 'lock', repaired),
    ...each('RemovedAt', [{ N: '5' }], 'lock', stillDamaged),
  ];
  const itemNow = async (): Promise<Item> =>
    (await itemsOf(table)).find(({ Client }) => Client?.S === 'north') ?? {};
  const succeeds = async (line: string) => {
    const { code, stdout, stderr } = await clients(line);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return { stdout, stderr };
  };

  test.each(damages)(
    'in %s (%o) can be changed with %s, and removed',
    async (attribute, value, action, said) => {
      const LockedAt = action === 'unlock' ? { LockedAt: '2026-01-01T00:00:00.000Z' } : {};
      const { [attribute]: _, ...others } = clientItems([{ Client: 'north', ...LockedAt }])[0] ?? {};
      const damaged = { ...others, ...(value ? { [attribute]: value } : {}), Site: { S: 'Köln' } };
      await putItems(table, [damaged]);
      const { stdout, stderr } = await succeeds(`${action} north --json`);
      expect(stderr).toEqual(said);
      const item = await itemNow();
      const untouched = (all: Item) =>
        Object.entries(all)
          .filter(([name]) => !written[action].includes(name))
          .toSorted();
      expect(untouched(item)).toEqual(untouched(damaged));
      expect(item).toMatchObject({
        ChangedBy: { S: 'local' },
        Version: { N: attribute === 'Version' ? '1' : '2' },
      });
      expect('LockedAt' in item).toBe(action === 'lock');
      if (action === 'rotate') {
        const { Salt = '', Hash = '' } = v.parse(v.pick(Client, ['Salt', 'Hash']), toPlain(item));
        expect(isPasswordOf(JSON.parse(stdout)[0].Password, { Salt, Hash })).toBe(true);
      }

      await succeeds('remove north --yes');
      const removed = await itemNow();
      expect(v.parse(Client, toPlain(removed))).toHaveProperty('RemovedAt');
      expect(removed).toMatchObject({ Site: { S: 'Köln' } });
      expect(Object.keys(removed).filter((name) => /Hash|Salt/.test(name))).toEqual([]);
    },
  );
});

describe('a write', () => {
  test.each<[string, () => Fault, RegExp]>([
    [
      'Ctrl-C interrupts is completed',
      interrupt,
      /^Ending after the writes that have already started\.\nnorth is locked\. .*\n$/,
    ],
    ['loses all its responses is found to be done', () => 'loseResponse', /^north is locked\. .*\n$/],
  ])('that %s, and said', async (_, decide, said) => {
    onPut(decide);
    expect(await clients('lock north')).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(said) });
    expect((await stored()).Version).toBe(2);
  });

  const changeBefore = (changes: number, fault: Fault) => async (number: number) => {
    for (let count = 0; number === 1 && count < changes; count += 1) await changeElsewhere();
    return fault;
  };
  const byOther =
    /^Somebody else \(arn:other\) has changed north at the same time\. Nothing was changed by this command\. /;
  const replaced = /\(arn:other\) .* The change of this command was not made, or was replaced/;
  test.each<[string, number, (number: number) => Fault | Promise<Fault>, RegExp]>([
    ['came after a change by somebody else', 1, changeBefore(1, 'through'), byOther],
    ['was lost after a change by somebody else', 1, changeBefore(1, 'disconnect'), byOther],
    ['came after two changes', 2, changeBefore(2, 'through'), replaced],
    ['did not arrive', 0, () => 'disconnect', / Nothing was changed\.$/m],
    ['is not allowed', 0, () => 'deny', /^These credentials .* Nothing was changed\.$/m],
  ])('that %s says so, and writes nothing', async (_, changes, decide, words) => {
    onPut(decide);
    expect(await clients('rotate north --json')).toEqual(refusal(words));
    expect(await stored()).toMatchObject({ Version: 1 + changes, Plan: changes > 0 ? 'slow' : 'standard' });
    expect(controlRequests).toEqual([]);
  });

  test('of a client that was added again since it was read as removed is refused', async () => {
    onCall('GetItem', () => changeElsewhere('gone'));
    expect(await clients('add gone')).toEqual(refusal(/^There is a client gone already/));
  });

  const UNKNOWN =
    / It is not known whether north was changed\. `clients show north` .* `clients rotate north --again` replaces it\.$/m;
  const interruptAndLose = (): Fault => {
    interrupt();
    return 'loseResponse';
  };
  test.each<[string, () => Fault | Promise<Fault>, RegExp, number]>([
    ['its response is lost', () => 'loseResponse', UNKNOWN, 1],
    ['its response is lost after Ctrl-C', interruptAndLose, UNKNOWN, 130],
    ['somebody else was first', changeElsewhere, /^Somebody else has changed north at the same time\. /, 1],
  ])('whose outcome cannot be read says what to do if %s', async (_, decide, words, exitCode) => {
    let isWritten = false;
    engine.decide((action) => {
      if (action === 'PutItem') isWritten = true;
      if (!isWritten) return 'through';
      return action === 'PutItem' ? decide() : 'loseResponse';
    });
    expect(await clients('rotate north')).toEqual(refusal(words, exitCode));
  });

  test.each([
    [
      'add gone',
      { UserName: 'gone' },
      'gone and west have the same user name gone.* gone and west share slot 2',
    ],
    ['set north --user-name new', { UserName: 'new' }, 'north and west have the same user name new'],
  ])('that takes what another client has got meanwhile says so: %s', async (line, values, words) => {
    const others = [{ Client: 'b', UserName: 'a', Slot: 1 }];
    await deploy(['a', { ...REMOVED, UserName: 'gone', Slot: 2 }, 'north', ...others]);
    const west = clientItems([{ Client: 'west', Slot: 2, ...values }]);
    onPut(() => putItems(table, west).then(() => 'through'));
    expect((await clients(line)).stderr).toMatch(new RegExp(` 60 s\\. ${words}`));
  });
});
