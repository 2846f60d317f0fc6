/** A function has no SDK configuration in files. The SDK treats an unreadable file as an absent one. */
export const readFile = () => Promise.reject(new Error('Files are left out of the bundles.'));
