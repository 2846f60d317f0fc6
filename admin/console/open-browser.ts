import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type SingleUse = { address: string; used: Promise<void> };

/**
 * Opens an address with a key. Other users of the machine can see a browser's command line, so it names a file that only
 * this user can read, which leads on to the address. Removes the file once the address has been used, or the console stops.
 * Returns whether a browser was opened.
 */
export const openBrowser = async ({ address, used }: SingleUse, isStopped?: Promise<unknown>) => {
  let folder: string | undefined;
  try {
    // A browser in a sandbox, as snap's, reads neither /tmp nor hidden folders.
    folder = await mkdtemp(join(homedir(), 'warehouse-console-'));
    const file = join(folder, 'open.html');
    await writeFile(file, pageLeadingTo(address), { mode: 0o600 });
    const { default: open } = await import('open');
    await open(file);
    await Promise.race([used, isStopped]);
    return true;
  } catch {
    return false;
  } finally {
    // A file that stays leads nowhere, because its key works once and for this console only.
    if (folder) await rm(folder, { recursive: true }).catch(() => {});
  }
};

const pageLeadingTo = (address: string) => `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Warehouse console</title>
<a href="${address}">Open the console</a>
`;
