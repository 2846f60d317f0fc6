import { Age, When } from '../components/controls.tsx';
import { isLate, type Model } from '../model.ts';
import { hrefTo } from '../route.ts';

export const OverviewPage = ({ model: { data } }: { model: Model }) => (
  <ul class="tiles">
    {data.clients.map((client, index) => {
      const at = data.lastSnapshotAt[index] ?? null;
      return (
        <li key={client} class={`tile ${isLate(data, index) ? 'late' : ''}`}>
          <a href={hrefTo('batches', [client])}>{client}</a>
          {at === null ? (
            'no batch'
          ) : (
            <>
              <When at={at} /> <Age at={at} now={data.asOf} />
            </>
          )}
        </li>
      );
    })}
  </ul>
);
