import { type ListName, listNames, tables } from '../../../../../shared/tables.ts';
import { summaryOf } from '../../../../messages/summary.ts';
import type { Work } from '../../../api.ts';
import { WriteButton } from '../../components/write-button.tsx';
import { countOf, formatMoment, formatNumber } from '../../format.ts';
import { hrefTo } from '../../route.ts';
import { useStock } from '../../use-stock.ts';

export type Card = Work['cards'][number];
export type Concern = Card['concerns'][number];

type Props = { cards: readonly Card[]; isNew?: (scope: string, concern: Concern) => boolean };

/** What each warehouse or list needs, in sentences. */
export const Cards = ({ cards, isNew = () => false }: Props) => (
  <ul class="work">
    {cards.map(({ scope, client, severity, concerns }) => (
      <li key={scope} class="card">
        <h2>
          <ScopeLink scope={scope} /> <span class={`mark severity ${severity}`}>{severity}</span>
        </h2>
        <ul class="findings">
          {concerns.map((concern) => (
            <li key={`${concern.kind} ${concern.state}`}>
              <ConcernLink {...{ scope, concern }} />
              {isNew(scope, concern) && <span class="mark new">New</span>}
            </li>
          ))}
        </ul>
        {client !== null && <WriteButton client={client} />}
      </li>
    ))}
  </ul>
);

const scopeOf = (list: ListName) => `list:${list}`;
export const LIST_SCOPES = listNames.map(scopeOf);
const listOf = (scope: string) => listNames.find((list) => scope === scopeOf(list));

/** People see a list by its title. */
export const nameOfScope = (scope: string) => {
  const list = listOf(scope);
  return list ? `The list of ${tables[list].list.title}` : scope;
};

const ScopeLink = ({ scope }: { scope: string }) => {
  const list = listOf(scope);
  const href = list ? hrefTo('lists', [tables[list].list.command]) : hrefTo('batches', [scope]);
  return <a href={href}>{nameOfScope(scope)}</a>;
};

/** Leads to exactly the findings that the sentence is about. */
const ConcernLink = ({ scope, concern }: { scope: string; concern: Concern }) => {
  const { asOf } = useStock();
  const { kind, severity, state, count } = concern;
  const words = {
    count: formatNumber,
    balance: formatNumber,
    moment: (at: number) => formatMoment(at, asOf),
  };
  return (
    <span>
      <a class={`severity ${severity}`} href={hrefTo('findings', [], { scope, kind, state })}>
        {summaryOf(concern, words)}
      </a>{' '}
      <span class="soft small">{countOf(count, 'finding')}</span>
    </span>
  );
};
