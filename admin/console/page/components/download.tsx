import { useState } from 'preact/hooks';
import { downloadPath, getFile, isFrozen } from '../source.ts';
import { Notice } from './controls.tsx';

const formats = [
  { format: 'xlsx', label: 'XLSX', title: 'A workbook that keeps codes and numbers as they are' },
  { format: 'csv', label: 'CSV with 0.5', title: 'Cells between commas, with a decimal point' },
  { format: 'csv-comma', label: 'CSV with 0,5', title: 'Cells between semicolons, with a decimal comma' },
] as const;

type Props = {
  /** What the file has, such as `this batch`. */
  what: string;
  /** The pieces of the path after `downloads`. */
  path: readonly string[];
  query?: Record<string, string | null | undefined>;
};

/** Links to a file of the server. A click waits for the file, so that a failure is shown in words. */
export const Download = ({ what, path, query = {} }: Props) => {
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState('');
  if (isFrozen) return null;
  const pathTo = (format: string) => {
    const given = Object.entries({ ...query, format });
    const search = new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
    return `downloads/${path.map(encodeURIComponent).join('/')}?${search}`;
  };
  const download = async (format: string) => {
    setBusy(format);
    setFailure('');
    try {
      save(await getFile(pathTo(format)));
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setBusy('');
  };
  return (
    <div class="download small">
      <span class="soft">Download {what}:</span>
      {formats.map(({ format, label, title }) => (
        <a
          key={format}
          href={downloadPath(pathTo(format))}
          title={title}
          download
          onClick={(event) => {
            event.preventDefault();
            if (busy === '') void download(format);
          }}
        >
          {label}
        </a>
      ))}
      <span role="status" class="soft">
        {busy !== '' && 'Reading…'}
      </span>
      {failure !== '' && <Notice kind="error">{failure}</Notice>}
    </div>
  );
};

const save = ({ name, blob }: { name: string; blob: Blob }) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
