import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Client, ClientWithoutHashes, toItem, toPlain } from '../../../shared/clients/client.ts';
import { lateFromOf } from '../../../shared/clients/lateness.ts';
import type { Item } from '../../../shared/storage/attribute-json.ts';

const NOW = '2026-11-21T06:48:04.123Z';
const HASH = `${'A'.repeat(42)}8=`;

const smallest: Client = {
  Client: 'wms-1',
  UserName: 'DOMAIN\\кладовщик',
  Plan: 'standard',
  Slot: 1,
  SilenceHours: 24,
  SilenceFrom: NOW,
  CreatedAt: NOW,
  PasswordChangedAt: NOW,
  ChangedBy: 'arn:aws:iam::123456789012:user/admin',
  Version: 1,
};
const largest: Client = {
  ...smallest,
  Salt: 'salt',
  Hash: HASH,
  PreviousSalt: 'salt',
  PreviousHash: HASH,
  PreviousUntil: NOW,
  LockedAt: NOW,
  RemovedAt: NOW,
  OwnPassword: true,
  Contact: 'Jürgen, 089 123\nlager@example.com',
  DisplayName: 'München-Süd',
  Language: 'de',
  FormerSilence: `${NOW}/${NOW}/24`,
};

describe('the item of a client', () => {
  it.each([
    ['the smallest', smallest],
    ['the largest', largest],
  ])('is read as the client that was written: %s', (_, client) => {
    expect(v.parse(Client, toPlain(toItem(client)))).toEqual(client);
  });

  it('keeps all attributes except those that are written or removed', () => {
    const foreign = { Site: { S: 'Köln' }, Tags: { SS: ['a', 'b'] }, Notes: { M: { a: { NULL: true } } } };
    const stored: Item = { ...toItem(largest), ...foreign };
    const { Salt: _, ...others } = stored;
    const changes = { Client: 'wms-1', Slot: 2, Salt: undefined };
    expect(toItem(changes, stored)).toEqual({ ...others, Slot: { N: '2' } });
    expect(v.parse(Client, toPlain(stored))).toEqual(largest);
  });

  it('has no hash or salt for a person who reads clients', () => {
    const hidden = Object.keys(largest).filter((name) => !(name in v.parse(ClientWithoutHashes, largest)));
    expect(hidden).toEqual(['Salt', 'Hash', 'PreviousSalt', 'PreviousHash']);
  });
});

describe('an attribute of a client', () => {
  it.each<[keyof Client, unknown[], unknown[]]>([
    [
      'Client',
      ['a', '0', '-a', '--', 'A.b_c-9', 'a'.repeat(64)],
      ['', '-', '.', '..', 'a'.repeat(65), 'a:2', 'a b', 'a/b', 'ä', 'a\n', 5, undefined],
    ],
    [
      'UserName',
      ['a', ' ', '-', 'кладовщик', 'DOMAIN\\wms', '😀'.repeat(64), 'a'.repeat(128)],
      ['', 'a:b', 'a'.repeat(129), 'a\tb', 'a\n', 'a\u007f', '\ud83d', 5, undefined],
    ],
    ['Slot', [1, 170], [0, -1, 1.5, '1', undefined]],
    ['SilenceHours', [0, 1, 24, 8_760], [-1, 8_761, 1.5, '24', undefined]],
    ['Version', [1, Number.MAX_SAFE_INTEGER], [0, 1.5, Number.MAX_SAFE_INTEGER + 1, undefined]],
    [
      'Hash',
      [HASH, undefined],
      ['', HASH.slice(1), `${HASH}=`, `A${HASH}`, HASH.replace('=', 'A'), ` ${HASH.slice(1)}`],
    ],
    ['Salt', ['s', undefined], ['', 5]],
    ['PreviousHash', [undefined], ['']],
    ['PreviousSalt', [undefined], ['']],
    ['OwnPassword', [true, undefined], [false, 'true']],
    [
      'Contact',
      ['a', 'a\nb', '😀'.repeat(500), undefined],
      ['', 'a'.repeat(501), 'a\tb', 'a\rb', '\ud83d', 5],
    ],
    ['DisplayName', ['Юг', 'ü'.repeat(100), undefined], ['', 'ü'.repeat(101), 'a\nb', '\ud83d', 5]],
    ['Language', ['en', 'de', 'ru', undefined], ['fr', 'DE', '', 5]],
    ...(['SilenceFrom', 'CreatedAt', 'PasswordChangedAt'] as const).map(
      (name): [keyof Client, unknown[], unknown[]] => [
        name,
        [NOW, '2026-11-21T06:48:04Z'],
        [
          '2026-11-21',
          '2026-11-21T06:48:04',
          '2026-11-21T06:48:04+02',
          '2026-13-21T06:48:04Z',
          '',
          5,
          undefined,
        ],
      ],
    ),
    ...(['PreviousUntil', 'LockedAt', 'RemovedAt'] as const).map(
      (name): [keyof Client, unknown[], unknown[]] => [name, [NOW, undefined], ['yesterday', '', true]],
    ),
  ])('%s accepts what it may be, and nothing else', (name, accepted, refused) => {
    const changed = (value: unknown) => {
      const { [name]: _, ...others } = largest;
      return value === undefined ? others : { ...others, [name]: value };
    };
    expect(accepted.filter((value) => !v.is(Client, changed(value)))).toEqual([]);
    expect(refused.filter((value) => v.is(Client, changed(value)))).toEqual([]);
  });
});

describe('a client is late', () => {
  const hour = 3_600_000;
  const from = Date.parse(NOW);

  it.each([
    ['its hours of silence after its last batch', {}, from + 5, from + 5 + 24 * hour],
    ['its hours of silence after SilenceFrom, if its last batch is older', {}, from - 5, from + 24 * hour],
    [
      'its hours of silence after SilenceFrom, if it has sent no batch',
      { SilenceHours: 1 },
      undefined,
      from + hour,
    ],
    ['never, if nobody waits for its batches', { SilenceHours: 0 }, from, undefined],
    ['never, while it is locked', { LockedAt: NOW }, from, undefined],
    ['never, after it was removed', { RemovedAt: NOW }, from, undefined],
  ])('%s', (_, more, lastBatchAt, expected) => {
    expect(lateFromOf({ ...smallest, ...more }, lastBatchAt)).toBe(expected);
  });
});
