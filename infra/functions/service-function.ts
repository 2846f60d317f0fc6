import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage, type Duration, type RemovalPolicy, Stage } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bundle } from './bundle.ts';

type ServiceFunctionProps = {
  /** The file in functions/. */
  name: string;
  timeout: Duration;
  /** Who suffers how when it fails, for those who are called then. */
  impact: string;
  environment: Record<string, string>;
  logRetention: RetentionDays;
  logRemoval: RemovalPolicy;
};

/**
 * What a function takes of a processor goes by its memory, and this is a whole one. Nearly all of a first request is
 * work of the processor, whatever the operation, and so are a batch of 40,000 entries and a full list.
 */
const MEMORY_MB = 1_769;

/** A function of this service: its bundle, a role of its own that starts with its log alone, and that log. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly log: LogGroup;
  readonly name: string;
  readonly memorySize = MEMORY_MB;
  readonly timeout: Duration;
  readonly impact: string;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { name, timeout, environment } = props;
    this.name = name;
    this.timeout = timeout;
    this.impact = props.impact;
    this.log = new LogGroup(this, 'Log', {
      retention: props.logRetention,
      removalPolicy: props.logRemoval,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.log.grantWrite(role);
    this.function = new LambdaFunction(this, 'Function', {
      code: this.code(name),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: this.memorySize,
      timeout,
      environment,
      role,
      logGroup: this.log,
      loggingFormat: LoggingFormat.JSON,
    });
  }

  /** Gives the function a resource's whereabouts and exactly these actions on it, so that neither is forgotten. */
  use(environment: Record<string, string>, actions: string[], resources: string[]) {
    for (const [name, value] of Object.entries(environment)) this.function.addEnvironment(name, value);
    this.function.addToRolePolicy(new PolicyStatement({ effect: Effect.ALLOW, actions, resources }));
  }

  private code(name: string) {
    const sourceMaps = join(Stage.of(this)?.assetOutdir ?? '', 'source-maps');
    return Code.fromAsset(fileURLToPath(new URL('../../functions', import.meta.url)), {
      assetHashType: AssetHashType.OUTPUT,
      bundling: {
        image: DockerImage.fromRegistry('not-used'),
        // Assets of one folder are told apart by their command: without it all functions would get the first's code.
        command: [name],
        local: {
          tryBundle: (folder) => {
            bundle(name, folder, sourceMaps);
            return true;
          },
        },
      },
    });
  }
}
