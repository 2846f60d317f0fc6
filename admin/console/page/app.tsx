import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Notice, When } from './components/controls.tsx';
import { timeZone } from './format.ts';
import { type Model, toModel } from './model.ts';
import { BatchesPage } from './pages/batches.tsx';
import { ClientsPage } from './pages/clients.tsx';
import { FindingsPage } from './pages/findings.tsx';
import { ListsPage } from './pages/lists.tsx';
import { MaterialPage } from './pages/material.tsx';
import { MaterialsPage } from './pages/materials.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { hrefTo, type Route, useRoute } from './route.ts';
import { isFrozen, readStock } from './source.ts';

export type PageProps = { model: Model; route: Route };

type Page = { title: string; component: ComponentType<PageProps>; isLiveOnly?: true };

const pages: Record<string, Page> = {
  overview: { title: 'Overview', component: OverviewPage },
  materials: { title: 'Materials', component: MaterialsPage },
  batches: { title: 'Batches', component: BatchesPage },
  lists: { title: 'Lists', component: ListsPage, isLiveOnly: true },
  findings: { title: 'Findings', component: FindingsPage },
  clients: { title: 'Clients', component: ClientsPage, isLiveOnly: true },
};

const shownPages = Object.entries(pages).filter(([, { isLiveOnly }]) => !(isFrozen && isLiveOnly));

export const App = () => {
  const route = useRoute();
  const { model, failure, refresh } = useStock(route.query.get('at'));
  const heading = useRef<HTMLHeadingElement>(null);
  const isMaterial = route.page === 'materials' && route.parts.length > 0;
  const page = pages[route.page];
  const title = isMaterial ? (route.parts[0] ?? '') : (page?.title ?? 'No such page');
  const Content = isMaterial ? MaterialPage : page?.component;
  useEffect(() => {
    document.title = `${title} · ${isFrozen ? 'Stock report' : 'Warehouse console'}`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      <header class="top">
        <nav aria-label="Pages">
          {shownPages.map(([name, { title }]) => (
            <a key={name} href={hrefTo(name)} aria-current={name === route.page ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      <main class="wide">
        {failure !== undefined && (
          <Notice kind="error">
            {failure}{' '}
            <button type="button" onClick={refresh}>
              Try again
            </button>
          </Notice>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {Content === undefined && <p>Choose a page above.</p>}
        {Content !== undefined && model === undefined && failure === undefined && (
          <p role="status">Reading…</p>
        )}
        {Content !== undefined && model !== undefined && <Content model={model} route={route} />}
      </main>
      {model !== undefined && <Foot model={model} />}
    </>
  );
};

const Foot = ({ model: { data } }: { model: Model }) => (
  <footer class="wide soft small">
    {data.what}, as of <When at={data.asOf} />. Times are in {timeZone}.
    {isFrozen && ' This file holds all that it shows, and asks no other machine for anything.'}
  </footer>
);

const REFRESHED_EVERY_MS = 30_000;

type Stock = { model?: Model; failure?: string };

/** Reads the stock, and reads it again now and then. What is shown stays when that fails. */
const useStock = (at: string | null) => {
  const [state, setState] = useState<Stock>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    let version: string | undefined;
    const show = (change: (before: Stock) => Stock) => isCurrent && setState(change);
    const read = async () => {
      try {
        const stock = await readStock(at, version);
        version = stock?.version ?? version;
        show(({ model }) => (stock ? { model: toModel(stock.data) } : model ? { model } : {}));
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error);
        show((before) => ({ ...before, failure }));
      }
    };
    void read();
    const timer = isFrozen ? undefined : setInterval(read, REFRESHED_EVERY_MS);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [at, turn]);
  return { ...state, refresh: () => setTurn(turn + 1) };
};
