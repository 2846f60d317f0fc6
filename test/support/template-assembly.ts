/** A synthesis without bundles, where only the template is looked at. */
export { setupWithoutBundles as setup } from './assembly.ts';
