import { isDoctorClient } from '../../admin/clients/client-table.ts';
import { grouped } from '../../admin/text/words.ts';
import { MAX_BATCH_ENTRIES } from '../../shared/limits.ts';
import { type OperationName, operations } from '../../shared/operations.ts';
import { describedAs, type Fact, type Facts, NotChecked } from '../fact.ts';
import { describe, describeErrors, messageOf } from '../http/describe.ts';

const DEPLOY = 'look into the log of the function, then deploy again';

// The response names the only error of the body. So the service has read all of it, and stores nothing.
export const WRONG_CHANGE = JSON.stringify({ Timestamp: '2026-02-30T00:00:00,000Z' });

/** As Latin-1, it has the byte FF. */
const NOT_UTF_8 = WRONG_CHANGE.replace('Z', 'ÿ');

const listFact = (name: OperationName): Fact => ({
  ...describedAs('200 application/json with a list', async (caller) => {
    const response = await caller.send(operations[name]);
    const [rows] = Object.values(response.json);
    return `${describe(response)} ${Array.isArray(rows) ? 'with' : 'without'} a list`;
  }),
  todo: DEPLOY,
});

/** An entry with Cyrillic and orders is about 105 bytes long. With the short code, the largest batch is about 3 MB. */
const prefixes = { usual: 'Док-', short: 'D' };

/** The body of a batch. `lastEntry` changes its last entry. */
export const makeBatch = (count: number, kind: keyof typeof prefixes, lastEntry: object = {}) =>
  JSON.stringify({
    MaterialCodes: Array.from({ length: count }, (_, index) => ({
      MaterialCode: `${prefixes[kind]}${index}`,
      StockBalance: -index / 8,
      StockBalanceUnit: 'kg',
      PurchaseOrders: kind === 'usual' && index % 3 > 0 ? ['OT0000001', 'OT0000002'] : {},
      ...(index === count - 1 ? lastEntry : {}),
    })),
  });

const batchFact = (count: number, kind: keyof typeof prefixes): Fact => ({
  ...describedAs(`400 #/MaterialCodes/${count - 1}/StockBalance`, async (caller) => {
    const { client: name } = caller.login;
    if (!isDoctorClient(name))
      throw new NotChecked(`a refused batch of ${name} would raise an alarm: docs/doctor.md`);
    const body = makeBatch(count, kind, { StockBalance: 'none' });
    return describeErrors(await caller.post('post-material-stock-balance', body));
  }),
  todo: `allow bodies with ${grouped(count)} entries in the firewall (WAF) in front`,
});

export const operationFacts: Facts = {
  change: {
    ...describedAs('400 #/Timestamp', async (caller) =>
      describeErrors(await caller.post('post-change', WRONG_CHANGE)),
    ),
    todo: DEPLOY,
  },
  'not-utf-8': {
    ...describedAs('400 that says so', async (caller) => {
      const response = await caller.post('post-change', Buffer.from(NOT_UTF_8, 'latin1'));
      const isNamed = messageOf(response).includes('not UTF-8');
      return `${response.status} ${isNamed ? 'that says so' : 'for another reason'}`;
    }),
    todo: 'see what a gateway or proxy in front makes of the byte FF: the function expects U+FFFD (functions/http/json-body.ts)',
  },
  'material-codes': listFact('get-material-codes'),
  'purchase-orders': listFact('get-purchase-orders'),
  'batch-21kb': batchFact(200, 'usual'),
  'batch-3mb': batchFact(MAX_BATCH_ENTRIES, 'short'),
};
