import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import type { Session } from '../../deployment/session.ts';
import { readerHere } from '../../text/reader.ts';
import { writeFor } from '../../text/write-for.ts';
import { bundlePage, readHtml } from '../page-bundle.ts';
import type { StockService } from '../processes/start-stock.ts';
import { guardWrites, protectResponses } from './access.ts';
import { clientsRoutes } from './clients-routes.ts';
import { downloadsRoutes } from './downloads-routes.ts';
import { listsRoutes } from './lists-routes.ts';
import { respondWithError } from './respond-with-error.ts';
import { tablesRoutes } from './tables-routes.ts';
import { toldRoutes } from './told-routes.ts';

/** The list of a larger spreadsheet would not fit into the response of the service. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

type Options = {
  guards: readonly MiddlewareHandler[];
  isReadOnly: boolean;
  /** Aborts when the console ends. */
  ending: AbortSignal;
  stock: StockService;
};

export const consoleApp = (session: Session, { guards, isReadOnly, ending, stock }: Options) => {
  const html = readHtml().replace('<html', `<html data-read-only="${isReadOnly}"`);
  return new Hono()
    .onError(respondWithError)
    .use(...protectResponses, ...guards, guardWrites(isReadOnly))
    .use((context, next) => writeFor(readerOf(context), next))
    .use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseSize }))
    .get('/', (context) => context.html(html))
    .get('/console.css', async (context) =>
      context.body((await bundlePage()).style, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
    )
    .get('/console.js', async (context) =>
      context.body((await bundlePage()).script, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
    )
    .use(async ({ req }, next) => {
      await next();
      if (req.method !== 'POST') return;
      stock.readAtNextRequest();
      // The next response has to show the change.
      if (req.path.startsWith('/api/reviews/')) await stock.readNow('lists');
      if (req.path.startsWith('/api/clients')) await stock.readNow('clients');
      if (req.path === '/api/told') await stock.readNow('told');
    })
    .route('/api', tablesRoutes(stock, session.deployment))
    .route('/api/clients', clientsRoutes(session))
    .route('/api/told', toldRoutes(session))
    .route('/api', listsRoutes(session, stock, ending))
    .route('/api/downloads', downloadsRoutes(stock, session.deployment.name))
    .notFound(() => {
      throw new HTTPException(404, { message: 'The console has no page at this address.' });
    });
};

const Zone = v.pipe(
  v.string(),
  v.check((timeZone) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone }) !== undefined;
    } catch {
      return false;
    }
  }),
);
const ReaderHeaders = v.object({ timeZone: Zone, decimal: v.picklist(['.', ',']) });

/** The page sends how its reader writes. A link that is opened without the page has no headers. */
const readerOf = ({ req }: Context) => {
  const [timeZone, decimal] = [req.header('Time-Zone'), req.header('Decimal-Sign')];
  return timeZone === undefined ? readerHere() : v.parse(ReaderHeaders, { timeZone, decimal });
};

const refuseSize = () => {
  throw new HTTPException(413, {
    message: 'The file is larger than 32 MB. Import it with the command line.',
  });
};
