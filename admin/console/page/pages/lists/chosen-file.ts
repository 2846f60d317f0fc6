declare global {
  // Chromium has both, and the types of TypeScript have neither.
  interface Window {
    showOpenFilePicker?(options: {
      types: { accept: Record<string, string[]> }[];
    }): Promise<FileSystemFileHandle[]>;
  }
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
}

/** A file that an admin chose. `read` reads what is in it now. */
export type ChosenFile = { name: string; read: () => Promise<Blob> };

const types = {
  'text/csv': ['.csv'],
  'application/json': ['.json'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
};

export const endings = Object.values(types).flat().join();

/** Reads a copy, because the browser would not send a file that changes meanwhile. */
const copyOf = async (file: File) => new Blob([await file.arrayBuffer()]);

/** In Chromium, a file that has changed since it was chosen cannot be read. */
export const fromFile = (file: File): ChosenFile => ({
  name: file.name,
  read: () =>
    copyOf(file).catch(() => {
      throw new Error(`${file.name} cannot be read. If it has changed, close this and choose it again.`);
    }),
});

const fromHandle = (handle: FileSystemFileHandle): ChosenFile => ({
  name: handle.name,
  read: async () => {
    try {
      return await copyOf(await handle.getFile());
    } catch {
      throw new Error(`${handle.name} cannot be read. Is it still there, and closed in other programs?`);
    }
  },
});

/** Only a handle can read a file again that has changed. Without one, the browser's own way gives a File. */
export const pickInstead = async (event: Event): Promise<ChosenFile | undefined> => {
  if (!window.showOpenFilePicker) return undefined;
  event.preventDefault();
  const [handle] = await window.showOpenFilePicker({ types: [{ accept: types }] }).catch(() => []);
  return handle && fromHandle(handle);
};

export const dropInstead = async (event: DragEvent): Promise<ChosenFile | undefined> => {
  const dropped = event.dataTransfer?.items[0]?.getAsFileSystemHandle?.();
  if (!dropped) return undefined;
  event.preventDefault();
  const handle = await dropped;
  return handle instanceof FileSystemFileHandle ? fromHandle(handle) : undefined;
};
