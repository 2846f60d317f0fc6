import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type BrowserLink = { url: string; used: Promise<void> };

/**
 * Opens a link with a key in the browser. Other users of the machine can see the browser's command line. So the command
 * line names a file that contains the link. Only this user can read the file. The file is removed once the link has been
 * used or the console stops. Returns whether a browser was opened.
 */
export const openBrowser = async ({ url, used }: BrowserLink, stopped?: Promise<unknown>) => {
  let folder: string | undefined;
  try {
    // A browser in a sandbox, such as a snap package, reads neither /tmp nor hidden folders.
    folder = await mkdtemp(join(homedir(), 'warehouse-console-'));
    const file = join(folder, 'open.html');
    await writeFile(file, pageLeadingTo(url), { mode: 0o600 });
    const { default: open } = await import('open');
    await open(file);
    await Promise.race([used, stopped]);
    return true;
  } catch {
    return false;
  } finally {
    // A file that cannot be removed does no harm: its key works once, and for this console only.
    if (folder) await rm(folder, { recursive: true }).catch(() => {});
  }
};

const pageLeadingTo = (url: string) => `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${url}">
<title>Warehouse console</title>
<a href="${url}">Open the console</a>
`;
