import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import { CLIENT_NAME_RULE, ClientName } from '../../../shared/clients/client.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { Filter } from '../../stock/queries/filter.ts';
import { readManual, readNamedQueries } from '../../stock/sql/named-queries.ts';
import { readViews } from '../../stock/sql/views.ts';
import { ArrivalsAddress, MaterialAddress, MomentAddress, QueryAddress, TableAddress } from '../addresses.ts';
import type { ClientMessage, QueryHelp, StockState } from '../api.ts';
import type { StockService } from '../processes/start-stock.ts';
import type { Readers } from '../queries/read-stock.ts';
import { readAddress } from './respond-with-error.ts';

type SchemaOf<TAddress> = v.GenericSchema<unknown, TAddress>;

/** The address of a query. `:days=7` in it is the value of the parameter `:days`. */
export const readQueryAddress = (context: Context) => {
  const values = Object.entries(context.req.query()).filter(([name]) => name.startsWith(':'));
  const parameters = Object.fromEntries(values.map(([name, value]) => [name.slice(1), value]));
  return readAddress(QueryAddress, context, { parameters });
};

const ClientAddress = v.object({ client: ClientName }, CLIENT_NAME_RULE);
const Since = v.object({ since: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15)) });

export const tablesRoutes = (
  stock: Pick<StockService, 'ask' | 'readChoices' | 'runQuery' | 'readState' | 'readOlder'>,
  deployment: Pick<Deployment, 'name' | 'now'>,
) => {
  const ask =
    <TName extends keyof Readers>(name: TName, schema: SchemaOf<Parameters<Readers[TName]>[0]>) =>
    async (context: Context) =>
      context.json(await stock.ask(name, readAddress(schema, context), context.req.raw.signal));

  const runQuery = (name: 'queryPage' | 'queryCount') => async (context: Context) =>
    context.json(await stock.runQuery(name, readQueryAddress(context), context.req.raw.signal));

  return new Hono()
    .get('/state', async (context) => {
      const { at } = readAddress(MomentAddress, context);
      const asOf = at === undefined ? Date.now() : Date.parse(at);
      return context.json<StockState>({
        deploymentName: deployment.name,
        asOf,
        ...(await stock.readState()),
      });
    })
    .get('/query/help', (context) =>
      context.json<QueryHelp>({ views: readViews(), queries: readNamedQueries() }),
    )
    .get('/query/manual', (context) => context.text(readManual()))
    .get('/arrivals', ask('arrivals', ArrivalsAddress))
    .get('/older', ask('older', MomentAddress))
    .post('/older', async (context) => {
      const { since } = v.parse(Since, await context.req.json());
      stock.readOlder(new Date(since));
      return context.json({});
    })
    .get('/choices', async (context) => context.json(await stock.readChoices()))
    .get('/kinds', ask('kinds', Filter))
    .get('/work', ask('work', MomentAddress))
    .get('/message', async (context) => {
      const readAt = deployment.now().toISOString();
      const { signal } = context.req.raw;
      const message = await stock.ask('message', readAddress(ClientAddress, context), signal);
      return context.json<ClientMessage | null>(message && { ...message, readAt });
    })
    .get('/materials/:material', ask('material', MaterialAddress))
    .get('/tables/query', runQuery('queryPage'))
    .get('/tables/query/count', runQuery('queryCount'))
    .get('/tables/:table', ask('page', TableAddress))
    .get('/tables/:table/count', ask('count', TableAddress));
};
