import { type Settings, SettingsError } from './settings.ts';

/** What the CDK's command line found out about the credentials at hand, if there are any. */
type Surroundings = { CDK_DEFAULT_ACCOUNT?: string; CDK_DEFAULT_REGION?: string };

/**
 * A deployment that names its account or region goes nowhere else. The template is the same everywhere, so that it can
 * be run on a laptop without credentials; who has credentials for another place is told before anything is deployed.
 */
export const checkAccountAndRegion = (
  { account, region }: Settings,
  { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION }: Surroundings,
) => {
  // Without credentials, the command line still names a region: one that nobody has chosen.
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
          detail: `This deployment belongs to ${wanted}; the credentials at hand lead to ${found}.`,
        },
      ];
