import { tables } from '../../../../../shared/tables.ts';
import { summaryOf } from '../../../../messages/en.ts';
import { listOf, nameOfScope } from '../../../../stock/scope.ts';
import { joinFirstNames } from '../../../../text/words.ts';
import type { Work } from '../../../api.ts';
import { AddToList } from '../../components/add-to-list.tsx';
import { countOf, formatMoment, formatNumber } from '../../format.ts';
import { hrefTo, useRoute } from '../../route.ts';
import { isReadOnly } from '../../source.ts';
import { useStock } from '../../use-stock.ts';
import { MarkButtons, MarkWords } from './marks.tsx';
import { WriteButton } from './write-button.tsx';

export type Card = Work['cards'][number];
export type Concern = Card['concerns'][number];

type IsNew = (scope: string, concern: Concern) => boolean;
type Props = { cards: readonly Card[]; isNew?: IsNew };

/** What each warehouse or list needs, in sentences. */
export const Cards = ({ cards, isNew = () => false }: Props) => (
  <ul class="work">
    {cards.map((card) => (
      <CardItem key={card.scope} {...{ card, isNew }} />
    ))}
  </ul>
);

const CardItem = ({ card, isNew }: { card: Card; isNew: IsNew }) => {
  const { scope, client, severity, concerns } = card;
  // Nobody writes, tells or knows in the past.
  const isOfNow = !useRoute().parameters.get('at');
  const hasOpen = concerns.some(({ state }) => state === 'open');
  return (
    <li class="card" tabIndex={-1}>
      <div class="flow bar">
        <h2>
          <ScopeLink scope={scope} /> <span class={`mark severity ${severity}`}>{severity}</span>
        </h2>
        {isOfNow && hasOpen && client !== null && <WriteButton client={client} />}
      </div>
      <ul class="findings">
        {concerns.map((concern) => (
          <ConcernItem
            key={`${concern.kind} ${concern.state}`}
            {...{ scope, concern }}
            isNew={isNew(scope, concern)}
            canMark={isOfNow && !isReadOnly}
          />
        ))}
      </ul>
    </li>
  );
};

type ItemProps = { scope: string; concern: Concern; isNew: boolean; canMark: boolean };

const SHOWN_SUBJECTS = 3;

/** Who sends a code or an order that is not in the list, and what it may mean. */
const originOf = (findings: Concern['findings']) => {
  const names = findings.map(({ data }) => data.client ?? '');
  const { original, meant } = findings[0]?.data ?? {};
  return [
    `sent by ${joinFirstNames(names)}`,
    ...(original ? [`looks like ${original}`] : []),
    ...(meant ? [`did you mean ${meant}?`] : []),
  ].join('; ');
};

/** The sentence leads to exactly its findings. */
const ConcernItem = ({ scope, concern, isNew, canMark }: ItemProps) => {
  const { asOf } = useStock();
  const { kind, severity, state, count, findings } = concern;
  const signs = { number: formatNumber, moment: (at: number) => formatMoment(at, asOf) };
  const sentence = summaryOf(concern, signs);
  const saysCount = count === 1 || sentence.startsWith(`${formatNumber(count)} `);
  const subjects = Map.groupBy(findings, ({ subject }) => subject);
  return (
    <li tabIndex={-1}>
      <span>
        <span class={`severity ${severity}`} role="img" aria-label={severity} />
        <a href={hrefTo('findings', [], { scope, kind, state })}>{sentence}</a>
      </span>
      {!saysCount && <span class="soft small">{countOf(count, 'finding')}</span>}
      <MarkWords concern={concern} />
      {isNew && <span class="mark new">New</span>}
      {canMark && <MarkButtons {...{ scope, concern, sentence }} />}
      {canMark && kind.startsWith('unlisted-') && (
        <span class="small unlisted">
          {[...subjects].slice(0, SHOWN_SUBJECTS).map(([subject, ofSubject]) => (
            <span key={subject}>
              {subject} <span class="soft">({originOf(ofSubject)})</span> <AddToList {...{ kind, subject }} />
            </span>
          ))}
        </span>
      )}
    </li>
  );
};

/** The cards with the concerns that are wanted, without empty cards. */
export const cardsWith = (cards: readonly Card[], isWanted: (concern: Concern) => boolean) =>
  cards.flatMap((card) => {
    // The worst of the open ones comes first.
    const [first, ...others] = card.concerns.filter(isWanted);
    return first ? [{ ...card, severity: first.severity, concerns: [first, ...others] }] : [];
  });

const ScopeLink = ({ scope }: { scope: string }) => {
  const { nameOf } = useStock();
  const list = listOf(scope);
  const href = list ? hrefTo('lists', [tables[list].list.command]) : hrefTo('batches', [scope]);
  return <a href={href}>{nameOfScope(scope, nameOf)}</a>;
};
