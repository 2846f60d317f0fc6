import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatAge } from '../../cli/time.ts';
import { Notice, When } from './components/controls.tsx';
import { TopBar } from './components/top-bar.tsx';
import { timeZone } from './format.ts';
import type { Model } from './model.ts';
import { BatchesPage } from './pages/batches.tsx';
import { ClientsPage } from './pages/clients.tsx';
import { FindingsPage } from './pages/findings.tsx';
import { ListsPage } from './pages/lists.tsx';
import { MaterialPage } from './pages/material.tsx';
import { MaterialsPage } from './pages/materials.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { type Route, useRoute } from './route.ts';
import { isFrozen } from './source.ts';
import { useStock } from './use-stock.ts';

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
const PRODUCT = isFrozen ? 'Stock report' : 'Warehouse console';

export const App = () => {
  const route = useRoute();
  const { model, failure, refresh } = useStock(route.query.get('at'));
  const isMaterial = route.page === 'materials' && route.parts.length > 0;
  const page = pages[route.page];
  const title = isMaterial ? (route.parts[0] ?? '') : (page?.title ?? 'No such page');
  const Content = isMaterial ? MaterialPage : page?.component;
  const { heading, focusHeading } = useHeading(title, [route.page, ...route.parts].join('/'));
  const links = shownPages.map(([name, { title }]) => ({
    name,
    title,
    ...(name === 'findings' && model ? { count: model.data.findings.length } : {}),
  }));
  return (
    <>
      <TopBar what={nameOf(model)} links={links} route={route} onSkip={focusHeading} />
      <main class="wide">
        {failure !== undefined && (
          <Notice kind="error">
            {failure}{' '}
            {model !== undefined &&
              `What you see is ${formatAge(new Date(model.data.asOf), new Date())} old, and is read again by itself. `}
            <button type="button" class="plain" onClick={refresh}>
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

/** The deployment, without the article that messages need. */
const nameOf = (model: Model | undefined) =>
  model ? model.data.what.replace(/^the (\w)/, (_, letter: string) => letter.toUpperCase()) : PRODUCT;

/** Moves the focus to the heading when the reader goes to another page, and not when the page is refreshed. */
const useHeading = (title: string, path: string) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const lastPath = useRef(path);
  const focusHeading = () => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  };
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
  }, [title]);
  useEffect(() => {
    if (lastPath.current !== path) focusHeading();
    lastPath.current = path;
  }, [path]);
  return { heading, focusHeading };
};

const Foot = ({ model: { data } }: { model: Model }) => (
  <footer class="wide">
    <p class="soft small">
      {data.what}, as of <When at={data.asOf} />. Times are in {timeZone}.
      {isFrozen && ' This file holds all that it shows, and asks no other machine for anything.'}
    </p>
  </footer>
);
