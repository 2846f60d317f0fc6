import { registerHooks } from 'node:module';

const infra = new URL('../../infra/', import.meta.url).href;

/** Loaded before the app, it takes away what the app acknowledges of the findings of cdk-nag. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith(infra)) return loaded;
    const source = String(loaded.source).replaceAll("'AwsSolutions-", "'Acknowledged-no-more-");
    return { ...loaded, source };
  },
});
