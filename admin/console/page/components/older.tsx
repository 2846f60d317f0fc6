import { formatDollars } from '../../../text/words.ts';
import type { OlderBatches } from '../../api.ts';
import { countOf } from '../format.ts';
import { pathTo, post } from '../source.ts';
import { useResponse, useWork } from '../use-response.ts';
import { useStock } from '../use-stock.ts';
import { Notice, When } from './controls.tsx';

/** Offers to read older batches. Warns if the page shows a moment before all batches that were read. */
export const Older = ({ at }: { at: string | null | undefined }) => {
  const { knownSince, asOf, share } = useStock();
  if (!knownSince || share < 1) return null;
  const isBefore = asOf < knownSince;
  return (
    <>
      {isBefore && (
        <Notice kind="warning">The batches of this moment have not been read, so the page lacks them.</Notice>
      )}
      <Offer path={pathTo(['older'], { at })} knownSince={knownSince} />
    </>
  );
};

const Offer = ({ path, knownSince }: { path: string; knownSince: number }) => {
  const { refresh } = useStock();
  const { response } = useResponse<OlderBatches | null>(path, { version: knownSince });
  const { result: asked, failure, isBusy, run } = useWork<number>();
  if (!response) return null;
  const { since, batches, dollars, minutes } = response;
  const read = async () => {
    await post('older', { since });
    refresh();
    return since;
  };
  if (asked === since)
    return (
      <p class="soft small" role="status">
        Reading back to <When at={since} /> begins in a few seconds.
      </p>
    );
  return (
    <>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      <p class="soft small">
        <button type="button" class="plain" disabled={isBusy} onClick={() => run(read)}>
          Read back to <When at={since} />
        </button>{' '}
        takes about {countOf(batches, 'batch', 'batches')}, {formatDollars(dollars)} and{' '}
        {countOf(Math.max(1, Math.ceil(minutes)), 'minute')}.
      </p>
    </>
  );
};
