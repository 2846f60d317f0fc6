import { Hono } from 'hono';
import type { Session } from '../../deployment/session.ts';
import { bundlePage, fillPage } from '../page-bundle.ts';
import { collectStock } from '../stock/collect-stock.ts';

/** The console's pages and what they ask for. */
export const consoleApp = (session: Session) => {
  const { script, style } = bundlePage();
  const html = [
    ...fillPage(
      new Map([
        ['style', '<link rel="stylesheet" href="console.css">'],
        ['script', '<script src="console.js" defer></script>'],
      ]),
    ),
  ].join('');
  return new Hono()
    .get('/', (context) => context.html(html))
    .get('/console.css', (context) => context.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' }))
    .get('/console.js', (context) =>
      context.body(script, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
    )
    .get('/api/stock', async (context) =>
      context.json(await collectStock({ ...session, now: new Date() }, {})),
    );
};
