import { type Context, Hono } from 'hono';
import { readManual, readSavedQueries } from '../../stock/sql/saved-queries.ts';
import { readViews } from '../../stock/sql/views.ts';
import type { QueryHelp, StockState } from '../api.ts';
import type { StockService } from '../processes/start-stock.ts';
import { checkMoment, type StockRequest } from '../queries/stock-requests.ts';

export const sendJson = (context: Context, json: string) =>
  context.body(json, 200, { 'Content-Type': 'application/json' });

/** The tables of the stock, and how far the stock has been read. */
export const tablesRoutes = (
  stock: Pick<StockService, 'ask' | 'runQuery' | 'readState'>,
  deploymentName: string,
) => {
  const respond = async (context: Context, request: StockRequest) =>
    sendJson(context, await stock.ask(request, context.req.raw.signal));

  const respondToQuery = async (context: Context, kind: 'window' | 'count') => {
    const work = { kind, parameters: context.req.query() };
    return sendJson(context, await stock.runQuery(work, context.req.raw.signal));
  };

  return new Hono()
    .get('/state', async (context) => {
      const at = context.req.query('at');
      checkMoment(at);
      const asOf = at === undefined ? Date.now() : Date.parse(at);
      return context.json<StockState>({ deploymentName, asOf, ...(await stock.readState()) });
    })
    .get('/query/help', (context) =>
      context.json<QueryHelp>({ views: readViews(), examples: readSavedQueries() }),
    )
    .get('/query/manual', (context) => context.text(readManual()))
    .get('/overview', (context) => respond(context, { kind: 'overview', parameters: context.req.query() }))
    .get('/arrivals', (context) => respond(context, { kind: 'arrivals', parameters: context.req.query() }))
    .get('/choices', (context) => respond(context, { kind: 'choices', parameters: context.req.query() }))
    .get('/materials/:code', (context) =>
      respond(context, {
        kind: 'material',
        name: context.req.param('code'),
        parameters: context.req.query(),
      }),
    )
    .get('/tables/query', (context) => respondToQuery(context, 'window'))
    .get('/tables/query/count', (context) => respondToQuery(context, 'count'))
    .get('/tables/:name', (context) =>
      respond(context, { kind: 'window', name: context.req.param('name'), parameters: context.req.query() }),
    )
    .get('/tables/:name/count', (context) =>
      respond(context, { kind: 'count', name: context.req.param('name'), parameters: context.req.query() }),
    );
};
