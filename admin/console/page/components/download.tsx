import { getFile, pathTo, type Query } from '../source.ts';
import { useWork } from '../use-response.ts';
import { Notice } from './controls.tsx';

const tableFormats = { xlsx: 'XLSX', csv: 'CSV with 0.5', 'csv-comma': 'CSV with 0,5' };

type Props = {
  /** What the file contains, such as `these rows`. */
  content: string;
  /** The parts of the path after `downloads`. */
  path: readonly string[];
  query?: Query;
  formats?: { [format: string]: string };
};

/** Uses buttons, because a link could not show why a download failed. */
export const Download = ({ content, path, query = {}, formats = tableFormats }: Props) => {
  const { result: notices = [], failure, isBusy, run } = useWork<string[]>();
  const download = async (format: string) => {
    const { name, blob, notices } = await getFile(pathTo(['downloads', ...path], { ...query, format }));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
    return notices;
  };
  return (
    <div class="flow small download">
      <span class="soft">{isBusy ? 'Writing the file…' : `Download ${content}:`}</span>
      {Object.entries(formats).map(([format, label]) => (
        <button key={format} type="button" class="plain" onClick={() => run(() => download(format))}>
          {label}
        </button>
      ))}
      {notices.map((notice) => (
        <Notice key={notice}>{notice}</Notice>
      ))}
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
    </div>
  );
};
