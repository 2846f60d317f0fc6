import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { isRealInstant } from '../../../shared/schemas/change.ts';
import type { Session } from '../../deployment/session.ts';
import { createStockReader } from '../stock/collect-stock.ts';

type Reader = ReturnType<typeof createStockReader>;

/** Keeps the current stock and one earlier stock, because each needs 40 MB for 40,000 balances. */
export const createStocks = (session: Session) => {
  const current = createStockReader(session, {});
  let earlier: { at: number; reader: Reader } | undefined;

  const readerOf = (until: Date) => {
    const at = until.getTime();
    if (earlier?.at !== at) earlier = { at, reader: createStockReader(session, { until }) };
    return earlier.reader;
  };

  return {
    read: (at: Date | undefined) => (at ? readerOf(at) : current).read(new Date()),
    expireLists: () => {
      current.expireLists();
      earlier?.reader.expireLists();
    },
  };
};

export const Instant = v.optional(
  v.pipe(
    v.string(),
    v.regex(/Z$/),
    v.isoTimestamp(),
    v.check(isRealInstant),
    v.transform((text) => new Date(text)),
  ),
);

export const stockRoutes = ({ read }: ReturnType<typeof createStocks>) =>
  new Hono().get('/', async (context) => {
    const at = v.safeParse(Instant, context.req.query('at'));
    if (!at.success) {
      throw new HTTPException(400, {
        message: 'The time in the address is not valid. Write it like 2026-03-31T09:30:00Z.',
      });
    }
    if (at.output && at.output > new Date()) {
      throw new HTTPException(400, { message: 'The time in the address is in the future.' });
    }
    const { version, data } = await read(at.output);
    const tag = `"${version}"`;
    context.header('ETag', tag);
    return context.req.header('If-None-Match') === tag ? context.body(null, 304) : context.json(data);
  });
