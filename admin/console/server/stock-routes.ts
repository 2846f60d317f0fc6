import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import type { Session } from '../../deployment/session.ts';
import { createStockReader } from '../stock/collect-stock.ts';

/** Of earlier times, only the last that were asked for are kept, because each is as large as that of now. */
const EARLIER_KEPT = 2;

type Reader = ReturnType<typeof createStockReader>;

/** The stock of now, and of earlier times. */
export const createStocks = (session: Session) => {
  const current = createStockReader(session, {});
  const earlier = new Map<number, Reader>();

  const readerOf = (at: Date) => {
    const reader = earlier.get(at.getTime()) ?? createStockReader(session, { until: at });
    earlier.delete(at.getTime());
    earlier.set(at.getTime(), reader);
    for (const oldest of [...earlier.keys()].slice(0, -EARLIER_KEPT)) earlier.delete(oldest);
    return reader;
  };

  return {
    read: (at: Date | undefined) => (at ? readerOf(at) : current).read(new Date()),
    expireLists: () => {
      for (const { expireLists } of [current, ...earlier.values()]) expireLists();
    },
  };
};

/** A Date turns 30 February into 2 March. */
const isRealDay = (text: string) => {
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text.slice(0, 10));
};

const Instant = v.optional(
  v.pipe(
    v.string(),
    v.regex(/Z$/),
    v.isoTimestamp(),
    v.check(isRealDay),
    v.transform((text) => new Date(text)),
  ),
);

export const stockRoutes = ({ read }: ReturnType<typeof createStocks>) =>
  new Hono().get('/', async (context) => {
    const at = v.safeParse(Instant, context.req.query('at'));
    if (!at.success) {
      throw new HTTPException(400, {
        message: 'The time in the address is not one such as 2026-03-31T09:30:00Z.',
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
