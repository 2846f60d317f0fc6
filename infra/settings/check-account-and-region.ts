import { type Settings, SettingsError } from './settings.ts';

/** What the CDK's command line finds out about the current credentials, if there are any. */
type CurrentCredentials = { CDK_DEFAULT_ACCOUNT?: string; CDK_DEFAULT_REGION?: string };

/**
 * Refuses credentials for another account or region than the settings name. The template itself names neither, so
 * that it runs on any machine without credentials.
 */
export const checkAccountAndRegion = (
  { account, region }: Settings,
  { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION }: CurrentCredentials,
) => {
  // Without credentials, the command line still names a default region, which nobody chose.
  if (CDK_DEFAULT_ACCOUNT === undefined) return;
  const faults = [
    ...differs('account', account, CDK_DEFAULT_ACCOUNT),
    ...differs('region', region, CDK_DEFAULT_REGION),
  ];
  if (faults.length > 0) throw new SettingsError(faults);
};

const differs = (name: string, wanted: string | undefined, found: string | undefined) =>
  wanted === undefined || found === undefined || wanted === found
    ? []
    : [
        {
          pointer: `#/${name}`,
          detail: `This deployment belongs to ${wanted}; the current credentials are for ${found}.`,
        },
      ];
