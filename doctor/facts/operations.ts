import { isDoctorClient } from '../../admin/clients/client-table.ts';
import { formatNumber } from '../../admin/text/words.ts';
import { MAX_BATCH_ENTRIES } from '../../shared/limits.ts';
import { type OperationName, operations } from '../../shared/operations.ts';
import { type Facts, NotChecked, responseFact } from '../fact.ts';
import { SUCCESS } from '../http/expectations.ts';

const DEPLOY = 'look into the log of the function, then deploy again';

// The response names the only error of this body. So the service has read the whole body, and stores nothing.
export const WRONG_CHANGE = JSON.stringify({ Timestamp: '2026-02-30T00:00:00,000Z' });

export const REFUSED_CHANGE = { status: 400, pointers: '#/Timestamp' };

/** A change with the byte FF. */
const NOT_UTF_8 = Buffer.from(WRONG_CHANGE.replace('Z', 'ÿ'), 'latin1');

const listFact = (name: OperationName) =>
  responseFact({ ...SUCCESS, hasList: true }, (caller) => caller.send(operations[name]), { todo: DEPLOY });

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

const batchFact = (count: number, kind: keyof typeof prefixes) =>
  responseFact(
    { status: 400, pointers: `#/MaterialCodes/${count - 1}/StockBalance` },
    (caller) => {
      const { client: name } = caller.login;
      if (!isDoctorClient(name))
        throw new NotChecked(`a refused batch of ${name} would raise an alarm: docs/doctor.md`);
      return caller.post('post-material-stock-balance', makeBatch(count, kind, { StockBalance: 'none' }));
    },
    { todo: `allow bodies with ${formatNumber(count)} entries in the firewall (WAF) in front` },
  );

export const operationFacts: Facts = {
  change: responseFact(REFUSED_CHANGE, (caller) => caller.post('post-change', WRONG_CHANGE), {
    todo: DEPLOY,
  }),
  'not-utf-8': responseFact(
    { status: 400, saysNotUtf8: true },
    (caller) => caller.post('post-change', NOT_UTF_8),
    {
      todo: 'see what a gateway or proxy in front makes of the byte FF: the function expects U+FFFD (functions/http/json-body.ts)',
    },
  ),
  'material-codes': listFact('get-material-codes'),
  'purchase-orders': listFact('get-purchase-orders'),
  'batch-21kb': batchFact(200, 'usual'),
  'batch-3mb': batchFact(MAX_BATCH_ENTRIES, 'short'),
};
