/** For 'node:fs/promises'. A function has no SDK configuration in files, and the SDK takes an unreadable file as absent. */
export const readFile = () => Promise.reject(new Error('Files are left out of the bundles.'));
