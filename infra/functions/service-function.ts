import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage, type Duration, type RemovalPolicy, Stage } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
  /** The name of the file in functions/. */
  name: string;
  timeout: Duration;
  /** For alarm texts: what people notice while the function fails. */
  impact: string;
  environment: Record<string, string>;
  /** Lambda reserves this many executions for the function, and allows no more than these. */
  reservedConcurrency?: number | undefined;
  logRetention: RetentionDays;
  logRemoval: RemovalPolicy;
};

// With this much memory, Lambda gives a function one whole processor.
// A cold start, a large batch and a full list need processor time most.
const MEMORY_MB = 1_769;

export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly log: LogGroup;
  readonly name: string;
  readonly timeout: Duration;
  readonly impact: string;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { name, timeout, environment, reservedConcurrency } = props;
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
      memorySize: MEMORY_MB,
      timeout,
      environment,
      ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
      role,
      logGroup: this.log,
      loggingFormat: LoggingFormat.JSON,
    });
  }

  /** Permits an action on a resource and sets the variables that name the resource, so that nobody forgets the permission or a variable. */
  grant(
    action: string,
    resource: string,
    environment: Record<string, string>,
    conditions: Record<string, object> = {},
  ) {
    for (const [name, value] of Object.entries(environment)) this.function.addEnvironment(name, value);
    this.function.addToRolePolicy(
      new PolicyStatement({ actions: [action], resources: [resource], conditions }),
    );
  }

  private code(name: string) {
    const sourceMaps = join(Stage.of(this)?.assetOutdir ?? '', 'source-maps');
    return Code.fromAsset(fileURLToPath(new URL('../../functions', import.meta.url)), {
      assetHashType: AssetHashType.OUTPUT,
      bundling: {
        image: DockerImage.fromRegistry('not-used'),
        // Never runs. The CDK reuses a bundle if folder and command are the same, so each function needs its own command.
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
