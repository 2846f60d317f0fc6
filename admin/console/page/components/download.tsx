import { getFile, isFrozen } from '../source.ts';
import { useWork } from '../use-work.ts';
import { Notice } from './controls.tsx';

const formats = { xlsx: 'XLSX', csv: 'CSV with 0.5', 'csv-comma': 'CSV with 0,5' };

type Props = {
  /** What the file has, such as `this batch`. */
  what: string;
  /** The pieces of the path after `downloads`. */
  path: readonly string[];
  query?: Record<string, string | null | undefined>;
};

/** Uses buttons, because a link could not show why a download failed. */
export const Download = ({ what, path, query = {} }: Props) => {
  const { failure, isBusy, run } = useWork();
  if (isFrozen) return null;
  const download = async (format: string) => {
    const given = Object.entries({ ...query, format });
    const search = new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
    const { name, blob } = await getFile(`downloads/${path.map(encodeURIComponent).join('/')}?${search}`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div class="flow small">
      <span class="soft">{isBusy ? 'Reading…' : `Download ${what}:`}</span>
      {Object.entries(formats).map(([format, label]) => (
        <button key={format} type="button" class="plain" onClick={() => run(() => download(format))}>
          {label}
        </button>
      ))}
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
    </div>
  );
};
