import { createHash } from 'node:crypto';
import { Aws, CfnResource, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct, type IConstruct } from 'constructs';
import { encodeClients, userKeyOf } from '../../shared/clients.ts';
import { variables } from '../../shared/environment.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { ClientSettings } from '../settings/client-settings.ts';

type CredentialsProps = {
  clients: readonly ClientSettings[];
  overlapHours: number;
  ephemeral: boolean;
};

export class Credentials extends Construct {
  private readonly props: CredentialsProps;
  private readonly secrets: { client: ClientSettings; secret: Secret }[];

  constructor(scope: Construct, id: string, props: CredentialsProps) {
    super(scope, id);
    this.props = props;
    this.secrets = props.clients.map((client) => ({ client, secret: this.secretOf(client) }));
  }

  /**
   * The name in the ARN has a random suffix that the secret's name does not have. It is unique in the account and region,
   * never changes, and is not confidential.
   */
  get secretNames() {
    return this.secrets.map(({ client, secret }) => ({
      client,
      secretName: secret.secretName,
      nameInArn: nameInArn(secret),
    }));
  }

  grantAccess(target: ServiceFunction) {
    const clients = this.secrets.map(({ client, secret }) => ({
      userKey: userKeyOf(client.username),
      name: client.name,
      secret: nameInArn(secret),
    }));
    target.grant(
      {
        [variables.clients]: encodeClients(clients),
        [variables.secretPrefix]: `arn:${Aws.PARTITION}:secretsmanager:${Aws.REGION}:${Aws.ACCOUNT_ID}:secret:`,
        [variables.credentialOverlapHours]: String(this.props.overlapHours),
      },
      ['secretsmanager:GetSecretValue'],
      this.secrets.map(({ secret }) => secret.secretArn),
    );
  }

  // Any change to GenerateSecretString or to the logical id makes the next deployment generate a new password.
  // Punctuation is excluded, because old clients fail on it.
  private secretOf({ name, username }: ClientSettings) {
    const secret = new Secret(this, `Client-${name}`, {
      description: `Credentials of the warehouse client ${name}`,
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ username }),
        generateStringKey: 'password',
        passwordLength: 32,
        excludePunctuation: true,
      },
      removalPolicy: this.props.ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    pinLogicalId(secret, logicalIdOf(name));
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A rotation on a schedule would lock out warehouse programs, whose settings people change by hand. A password is changed on demand, and the previous one stays valid for the overlap.',
    });
    return secret;
  }
}

/** Short, because the secret's name contains it, and 30 names must fit the authorizer's environment of 4 KB. */
export const logicalIdOf = (client: string) =>
  `Client${createHash('sha256').update(client).digest('hex').slice(0, 10)}`;

/** Without a fixed logical id, moved code changes the id, and CloudFormation replaces the resource. */
export const pinLogicalId = ({ node }: IConstruct, logicalId: string) => {
  if (CfnResource.isCfnResource(node.defaultChild)) node.defaultChild.overrideLogicalId(logicalId);
};

/** arn:partition:secretsmanager:region:account:secret:NAME */
const nameInArn = ({ secretArn }: Secret) => Fn.select(6, Fn.split(':', secretArn));
