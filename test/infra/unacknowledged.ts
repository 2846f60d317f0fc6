import { registerHooks } from 'node:module';

const infra = new URL('../../infra/', import.meta.url).href;

/**
 * Loaded before the app, renames the rules of cdk-nag that the app acknowledges, so that their findings count, and gives
 * a metric filter a dimension that CloudWatch Logs refuses, which only cdk-preflight notices. The CDK's own validation,
 * which takes seconds, is off.
 */
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
