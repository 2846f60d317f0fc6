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
  /** What people suffer while it fails, for alarm texts. */
  impact: string;
  environment: Record<string, string>;
  /** The executions that Lambda keeps for this function, and also the most that it may have. */
  reservedConcurrency?: number | undefined;
  logRetention: RetentionDays;
  logRemoval: RemovalPolicy;
};

/**
 * Lambda gives a function processor time in proportion to its memory; this is one whole processor. A cold start, a
 * batch of 40,000 entries and a full list are nearly all processor time.
 */
const MEMORY_MB = 1_769;

/** A function of this service, with its bundle, its log, and a role that at first may only write that log. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly log: LogGroup;
  readonly name: string;
  readonly memorySize = MEMORY_MB;
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
      memorySize: this.memorySize,
      timeout,
      environment,
      ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
      role,
      logGroup: this.log,
      loggingFormat: LoggingFormat.JSON,
    });
  }

  /** Grants actions and sets variables in one step, so that neither is forgotten. */
  grant(environment: Record<string, string>, actions: string[], resources: string[]) {
    for (const [name, value] of Object.entries(environment)) this.function.addEnvironment(name, value);
    this.function.addToRolePolicy(new PolicyStatement({ effect: Effect.ALLOW, actions, resources }));
  }

  private code(name: string) {
    const sourceMaps = join(Stage.of(this)?.assetOutdir ?? '', 'source-maps');
    return Code.fromAsset(fileURLToPath(new URL('../../functions', import.meta.url)), {
      assetHashType: AssetHashType.OUTPUT,
      bundling: {
        image: DockerImage.fromRegistry('not-used'),
        // The CDK bundles a folder once per command. With the same command, all functions would get the same code.
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
