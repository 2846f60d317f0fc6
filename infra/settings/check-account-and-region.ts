import { type Settings, SettingsError } from './settings.ts';

/** The CDK sets these variables from the current credentials. */
type CurrentCredentials = { CDK_DEFAULT_ACCOUNT?: string; CDK_DEFAULT_REGION?: string };

/** The template names no account and no region, so AWS would accept it with any credentials. */
export const checkAccountAndRegion = (
  { account, region, backup, domain }: Settings,
  { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION }: CurrentCredentials,
) => {
  // Without credentials, the CDK sets a default region, which means nothing here.
  const currentRegion = CDK_DEFAULT_ACCOUNT === undefined ? undefined : CDK_DEFAULT_REGION;
  const place = [region ?? currentRegion, account ?? CDK_DEFAULT_ACCOUNT] as const;
  const issues = [
    ...issuesOfMismatch('account', account, CDK_DEFAULT_ACCOUNT),
    ...issuesOfMismatch('region', region, currentRegion),
    ...issuesOfVault(backup?.vaultArn, ...place),
    ...issuesOfCertificate(domain?.certificateArn, ...place),
  ];
  if (issues.length > 0) throw new SettingsError(issues);
};

const issueAt = (name: string, detail: string) => [{ pointer: `#/${name}`, detail }];

const issuesOfMismatch = (name: string, required: string | undefined, current: string | undefined) =>
  required === undefined || current === undefined || required === current
    ? []
    : issueAt(name, `The settings require ${required}, but the current credentials are for ${current}.`);

const issuesOfVault = (vaultArn = '', region: string | undefined, account: string | undefined) =>
  vaultArn.includes(`:backup:${region}:${account}:`)
    ? issueAt(
        'backup/vaultArn',
        'This vault is in the account and region of the tables and could be lost with them. Use a vault in another account or region.',
      )
    : [];

/** The first deployment would fail, and leave its tables behind. */
const issuesOfCertificate = (certificateArn = '', region = '', account = '') =>
  certificateArn && region && account && !certificateArn.includes(`:${region}:${account}:`)
    ? issueAt(
        'domain/certificateArn',
        `API Gateway accepts only a certificate of the account ${account} in ${region}, where the deployment is.`,
      )
    : [];
