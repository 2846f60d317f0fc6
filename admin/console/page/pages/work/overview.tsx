import type { Work } from '../../../api.ts';
import { Waiting } from '../../components/controls.tsx';
import { Download } from '../../components/download.tsx';
import { countOf } from '../../format.ts';
import { hrefTo, pick, useRoute } from '../../route.ts';
import { pathTo } from '../../source.ts';
import { useStock, useStockResponse } from '../../use-stock.ts';
import { ArrivalsTable } from './arrivals.tsx';
import { Cards, cardsWith } from './cards.tsx';
import { useNews } from './last-look.ts';
import { countHidden } from './marks.tsx';

export const useWorkList = () =>
  useStockResponse<Work>(pathTo(['work'], pick(useRoute().parameters, ['at'])));

/** The list of work: who needs somebody, and in one line who does not. */
export const OverviewPage = () => {
  const at = useRoute().parameters.get('at');
  const { deploymentName, isFirstRead } = useStock();
  const { response, ...state } = useWorkList();
  const isNew = useNews(deploymentName, at === null ? response?.cards : undefined);
  return (
    <>
      <Waiting response={response} {...state} />
      {response && <WorkList {...response} {...{ isNew, isFirstRead }} />}
      <ArrivalsTable at={at} />
      <Download content="the report" path={['report']} query={{ at }} formats={{ xlsx: 'XLSX' }} />
    </>
  );
};

type Props = Work & { isNew: ReturnType<typeof useNews>; isFirstRead: boolean };

const WorkList = ({ cards, fine, isNew, isFirstRead }: Props) => {
  const open = cardsWith(cards, ({ state }) => state === 'open');
  const hidden = cardsWith(cards, ({ state }) => state !== 'open');
  const news = open.flatMap(({ scope, concerns }) => concerns.filter((concern) => isNew(scope, concern)));
  if (cards.length === 0 && fine.length === 0)
    return isFirstRead ? null : <p>There are no clients. Add one on the page Clients.</p>;
  return (
    <>
      {news.length > 0 && <p role="status">{countOf(news.length, 'line')} new since you last looked.</p>}
      <Cards cards={open} isNew={isNew} />
      {hidden.length > 0 && (
        <details>
          <summary>{countHidden(hidden.flatMap(({ concerns }) => concerns))}</summary>
          <Cards cards={hidden} />
        </details>
      )}
      <Fine names={fine} isAll={open.length === 0} />
    </>
  );
};

const Fine = ({ names, isAll }: { names: readonly string[]; isAll: boolean }) => {
  const { nameOf } = useStock();
  if (names.length === 0) return null;
  return (
    <details>
      <summary>
        Everything {isAll ? '' : 'else '}is fine: {countOf(names.length, 'warehouse')}
      </summary>
      <p class="flow">
        {names.map((name) => (
          <a key={name} href={hrefTo('batches', [name])}>
            {nameOf(name)}
          </a>
        ))}
      </p>
    </details>
  );
};
