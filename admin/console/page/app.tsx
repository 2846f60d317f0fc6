import { type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Waiting, When } from './components/controls.tsx';
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
  materials: {
    title: 'Materials',
    component: (props) =>
      props.route.parts.length > 0 ? <MaterialPage {...props} /> : <MaterialsPage {...props} />,
  },
  batches: { title: 'Batches', component: BatchesPage },
  lists: { title: 'Lists', component: ListsPage, isLiveOnly: true },
  findings: { title: 'Findings', component: FindingsPage },
  clients: { title: 'Clients', component: ClientsPage, isLiveOnly: true },
};

const links = Object.entries(pages).flatMap(([name, { title, isLiveOnly }]) =>
  isFrozen && isLiveOnly ? [] : [{ name, title }],
);
const PRODUCT = isFrozen ? 'Stock report' : 'Warehouse console';

const App = () => {
  const route = useRoute();
  const { model, failure, refresh } = useStock(route.query.get('at'));
  const page = pages[route.page];
  const title = [page?.title ?? 'No such page', ...route.parts].join(' · ');
  const heading = useRef<HTMLHeadingElement>(null);
  const lastTitle = useRef(title);
  const focusHeading = () => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  };
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
    // A refresh leaves the focus where it is.
    if (lastTitle.current !== title) focusHeading();
    lastTitle.current = title;
  }, [title]);
  return (
    <>
      <TopBar what={model?.data.what ?? PRODUCT} links={links} route={route} onSkip={focusHeading} />
      <main class="wide">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {page && <Waiting answer={model} failure={failure} refresh={refresh} />}
        {page && model && <page.component model={model} route={route} />}
      </main>
      {model && (
        <footer class="wide soft small">
          As of <When at={model.data.asOf} />, from {model.data.what}. Times are in {timeZone}.
          {isFrozen && ' This file contains all of its data and needs no network.'}
        </footer>
      )}
    </>
  );
};

render(<App />, document.body);
