import { registerHooks } from 'node:module';

const infra = new URL('../../infra/', import.meta.url).href;

// Loaded before the app. It renames the cdk-nag rules that the app acknowledges, so that their findings count.
// It adds a dimension that only cdk-preflight refuses, and turns off the CDK's own validation, which takes seconds.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith(infra)) return loaded;
    const source = String(loaded.source)
      .replaceAll("'AwsSolutions-", "'Acknowledged-no-more-")
      .replace('new App()', 'new App({ builtinCloudFormationValidation: false })')
      .replace("client: '$.client'", "client: 'client'");
    return { ...loaded, source };
  },
});
