import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type BrowserLink = { address: string; used: Promise<void> };

/**
 * Opens an address with a key in the browser. Other users of the machine can see the browser's command line. So it names
 * a file that leads to the address, and that only this user can read. The file is removed once the address has been
 * used, or the console stops. Returns whether a browser was opened.
 */
export const openBrowser = async ({ address, used }: BrowserLink, stopped?: Promise<unknown>) => {
  let folder: string | undefined;
  try {
    // A browser in a sandbox, such as that of snap, reads neither /tmp nor hidden folders.
    folder = await mkdtemp(join(homedir(), 'warehouse-console-'));
    const file = join(folder, 'open.html');
    await writeFile(file, pageLeadingTo(address), { mode: 0o600 });
    const { default: open } = await import('open');
    await open(file);
    await Promise.race([used, stopped]);
    return true;
  } catch {
    return false;
  } finally {
    // If the file cannot be removed, its key is useless: it works once, and for this console only.
    if (folder) await rm(folder, { recursive: true }).catch(() => {});
  }
};

const pageLeadingTo = (address: string) => `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Warehouse console</title>
<a href="${address}">Open the console</a>
`;
