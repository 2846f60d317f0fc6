/** A function has no configuration of the SDK in files; the SDK takes one that cannot be read for one that is not there. */
export const readFile = () => Promise.reject(new Error('Files are left out of the bundles.'));
