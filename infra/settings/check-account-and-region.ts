import { type Settings, SettingsError } from './settings.ts';

/** What the CDK's command line finds out about the current credentials, if there are any. */
type CurrentCredentials = { CDK_DEFAULT_ACCOUNT?: string; CDK_DEFAULT_REGION?: string };

/**
 * Refuses credentials for another account or region than the settings name, and a vault for copies that is in the
 * place of the tables. The template itself names no place, so that it runs on any machine without credentials.
 */
export const checkAccountAndRegion = (
  { account, region, backup }: Settings,
  { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION }: CurrentCredentials,
) => {
  // Without credentials, the command line still names a default region, which nobody chose.
  const currentRegion = CDK_DEFAULT_ACCOUNT === undefined ? undefined : CDK_DEFAULT_REGION;
  const faults = [
    ...differs('account', account, CDK_DEFAULT_ACCOUNT),
    ...differs('region', region, currentRegion),
    ...copiesInPlace(backup?.vaultArn, region ?? currentRegion, account ?? CDK_DEFAULT_ACCOUNT),
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

const copiesInPlace = (
  vaultArn: string | undefined,
  region: string | undefined,
  account: string | undefined,
) =>
  vaultArn?.includes(`:backup:${region}:${account}:`)
    ? [
        {
          pointer: '#/backup/vaultArn',
          detail:
            "This vault is in the deployment's own account and region, and would be lost with them. Name one in another.",
        },
      ]
    : [];
