import { type ComponentChildren, type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { tables } from '../../../shared/tables.ts';
import { joinNames } from '../../text/words.ts';
import type { Choices, StockState } from '../api.ts';
import { Notice, Waiting, When } from './components/controls.tsx';
import { Older } from './components/older.tsx';
import { TopBar } from './components/top-bar.tsx';
import { countOf, timeZone } from './format.ts';
import { BatchesPage } from './pages/batches.tsx';
import { ClientsPage } from './pages/clients.tsx';
import { ComparePage } from './pages/compare.tsx';
import { HistoryPage } from './pages/lists/history.tsx';
import { ListsPage } from './pages/lists/lists.tsx';
import { MaterialPage } from './pages/material.tsx';
import { MaterialsPage } from './pages/materials.tsx';
import { ReportsPage } from './pages/reports.tsx';
import { FindingsPage } from './pages/work/findings.tsx';
import { OverviewPage } from './pages/work/overview.tsx';
import { useRoute } from './route.ts';
import { pathTo } from './source.ts';
import { useResponse } from './use-response.ts';
import { StockContext } from './use-stock.ts';

type Page = {
  title: string;
  component: ComponentType;
  /** The page shows only the present. */
  isOfNow?: true;
  isInMenu?: false;
};

const pages: Record<string, Page> = {
  overview: { title: 'Overview', component: OverviewPage },
  findings: { title: 'Findings', component: FindingsPage },
  materials: {
    title: 'Materials',
    component: () => (useRoute().segments.length > 0 ? <MaterialPage /> : <MaterialsPage />),
  },
  lists: { title: 'Lists', component: ListsPage },
  history: { title: 'History', component: HistoryPage },
  compare: { title: 'Compare', component: ComparePage },
  reports: { title: 'Reports', component: ReportsPage },
  clients: { title: 'Clients', component: ClientsPage, isOfNow: true },
  batches: { title: 'Batches', component: BatchesPage, isInMenu: false },
};

const links = Object.entries(pages).flatMap(([name, { title, isInMenu = true }]) =>
  isInMenu ? [{ name, title }] : [],
);
const PRODUCT = 'Warehouse console';
const STATE_EVERY_MS = 3_000;

/** The element that had the focus last, and the boxes around it. */
let focused: readonly EventTarget[] = [];
addEventListener('focusin', (event) => {
  focused = event.composedPath();
});

/** If what has the focus disappears, such as a pressed button, its neighbour or a box around it gets the focus, or the heading. */
const keepFocus = (removals: readonly MutationRecord[], heading: HTMLElement | null) => {
  const [element, ...boxes] = focused.filter((target) => target instanceof HTMLElement);
  if (!element || element.isConnected) return;
  const removal = removals.find(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(element)),
  );
  const near = [removal?.nextSibling, removal?.previousSibling, ...boxes];
  const next = near
    .filter((node) => node instanceof HTMLElement)
    .find((node) => node.isConnected && node.hasAttribute('tabindex'));
  (next ?? heading)?.focus({ preventScroll: true });
};

const App = () => {
  const route = useRoute();
  const page = Object.hasOwn(pages, route.page) ? pages[route.page] : undefined;
  const at = page?.isOfNow ? undefined : route.parameters.get('at');
  const path = pathTo(['state'], { at });
  const { response: state, failure, refresh } = useResponse<StockState>(path, { everyMs: STATE_EVERY_MS });
  const title = [page?.title ?? 'No such page', ...route.segments].join(' · ');
  const heading = useRef<HTMLHeadingElement>(null);
  const lastTitle = useRef(title);
  const focusHeading = () => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  };
  useEffect(() => {
    const observer = new MutationObserver((changes) => keepFocus(changes, heading.current));
    observer.observe(document.body, { childList: true, subtree: true });
  }, []);
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
    // New data on the same page do not move the focus. A choice keeps the focus for its next value.
    const isChoosing = document.activeElement?.localName === 'select';
    if (lastTitle.current !== title && !isChoosing) focusHeading();
    lastTitle.current = title;
  }, [title]);
  return (
    <>
      <TopBar
        deploymentName={state?.deploymentName ?? PRODUCT}
        {...{ links, at }}
        page={route.page}
        onSkip={focusHeading}
      />
      <main class="wide">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {page && <Waiting response={state} failure={failure} refresh={refresh} />}
        {state && <Progress {...state} />}
        {state && at && <ListsOfNow {...state} />}
        {state?.refusalFailure !== undefined && !at && (
          <p class="soft small">Refused requests are not shown. {state.refusalFailure}</p>
        )}
        {page && state && (
          <Stock state={state} refresh={refresh}>
            <Older at={at} />
            <page.component />
          </Stock>
        )}
      </main>
      {state && (
        <footer class="wide soft small">
          From {state.deploymentName}. Times are in {timeZone}.
        </footer>
      )}
    </>
  );
};

type StockProps = { state: StockState; refresh: () => void; children: ComponentChildren };

const Stock = ({ state, refresh, children }: StockProps) => {
  const { response } = useResponse<Choices>(pathTo(['choices']), { version: state.version });
  const { warehouses, units, names } = response ?? { warehouses: [], units: [], names: [] };
  const displayNames = new Map(names);
  const nameOf = (client: string) => displayNames.get(client) ?? client;
  return (
    <StockContext.Provider value={{ ...state, refresh, warehouses, units, nameOf }}>
      {children}
    </StockContext.Provider>
  );
};

/** Which moment the page shows, and how far the stock has been read. */
const Progress = ({ asOf, share, minutesLeft, knownSince, isFirstRead, hasGap, failure }: StockState) => (
  <>
    {failure !== undefined && <Notice kind="error">The stock could not be read again. {failure}</Notice>}
    {isFirstRead && (
      <Notice>
        The stock is still being read. Meanwhile, a page may lack data, and may wrongly call a warehouse late.
      </Notice>
    )}
    {!isFirstRead && hasGap && (
      <Notice>
        The newest batches are there. Those between them and the last read are still being read, so a page may
        show a balance as unchanged for too long.
      </Notice>
    )}
    <p class="soft small">
      As of <When at={asOf} />.{' '}
      {knownSince ? (
        <>
          From batches since <When at={knownSince} />.{' '}
        </>
      ) : null}
      {share < 1 && (
        <>
          Batches are still being read: <progress value={share} aria-label="Batches read" />{' '}
          {Math.floor(share * 100)} %
          {minutesLeft !== undefined && `, about ${countOf(Math.ceil(minutesLeft), 'minute')} left`}.
        </>
      )}
    </p>
  </>
);

/** Says which lists the page cannot show as they were at its moment. */
const ListsOfNow = ({ asOf, lists, historyFailure }: StockState) => {
  const shown = lists.filter(({ since }) => historyFailure !== undefined || since === null || asOf < since);
  // One sentence for lists with the same reason.
  return [...Map.groupBy(shown, ({ since }) => (historyFailure === undefined ? since : null))].map(
    ([since, ofReason]) => (
      <Notice key={since}>
        The {joinNames(ofReason.map(({ list }) => tables[list].list.title))} are as of now, because{' '}
        {historyFailure !== undefined ? (
          `their history cannot be read. ${historyFailure}`
        ) : since === null ? (
          'they have no known past. It begins with the next change here or by a command.'
        ) : (
          <>
            their history begins at <When at={since} />.
          </>
        )}
      </Notice>
    ),
  );
};

render(<App />, document.body);
