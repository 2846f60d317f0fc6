import { tableNames } from '../shared/tables.ts';
import { readAssembly } from './assembly.ts';
import { openDataFolder, writeAtomically } from './data-folder.ts';
import { readApi } from './gateway/api.ts';
import { openGateway, type ServedRequest } from './gateway/gateway.ts';
import { freePort } from './http.ts';
import { createLambda } from './lambda/lambda.ts';
import { describeDynamoDb, describeSecretsManager, openAwsProxy } from './services/aws-proxy.ts';
import { openControlServer } from './services/control-server.ts';
import { startEngine } from './services/engine.ts';
import { createPermissions } from './services/permissions.ts';
import { SecretsManager } from './services/secrets-manager.ts';
import { deployTables } from './services/tables.ts';
import { LocalStack, REGION } from './stack.ts';
import { synthesize } from './synthesis.ts';
import { folderOf, hashSources, reuseOrSynthesize } from './synthesis-cache.ts';

/** Runs one step of the start and shows its progress. */
export type RunStep = <T>(
  name: string,
  action: () => Promise<T>,
  describeResult?: (result: T) => string,
) => Promise<T>;

type RunOptions = {
  port: number;
  data: string;
  isInMemory: boolean;
  isThrottled: boolean;
  /** Without a stage, the common settings apply. */
  stage?: string | undefined;
  /** JSON text that replaces the settings of cdk.json. */
  settings?: string | undefined;
  /** An engine that runs already. Without it, DYNAMODB_ENDPOINT applies; without both, the run starts one. */
  dynamoDbEndpoint?: string | undefined;
  /** The folder of an existing synthesis. Without it, the run synthesizes the stack. */
  assembly?: string | undefined;
  signal: AbortSignal;
  runStep: RunStep;
  onServed: (request: ServedRequest) => void;
  onFunctionLog: (line: string) => void;
  /** For problems that do not end the run, such as a full disk. */
  onProblem: (message: string) => void;
};

/** The contents of outputs.json, for scripts. */
export type Outputs = {
  BaseUrl: string;
  DynamoDbEndpoint: string;
  SecretsEndpoint: string;
  ControlEndpoint: string;
  Region: string;
  /** The outputs of a deployment, with the local base URL. */
  Stack: { Name: string; Outputs: Record<string, string> };
  Tables: Record<string, string>;
  Clients: Record<string, string>;
};

export const start = async (options: RunOptions) => {
  const { port, data, isInMemory, isThrottled, onServed, onFunctionLog, onProblem, runStep } = options;
  // Checked before the synthesis, which takes seconds.
  await freePort(port);
  if (options.assembly) readAssembly(options.assembly);
  await using cleanups = new AsyncDisposableStack();
  const folder = openDataFolder(data, onProblem);
  cleanups.defer(folder.release);
  // Before the engine, so that a folder that cannot be used is found at once.
  const secrets = new SecretsManager(isInMemory ? undefined : folder.file('secrets.json'));
  const writeLog = folder.openLog('functions.log');
  const engine = await runStep(
    'Starting the DynamoDB engine',
    () => startEngine(isInMemory ? undefined : folder.path, onProblem, options.dynamoDbEndpoint),
    ({ description }) => description,
  );
  cleanups.defer(() => engine.stop());
  const assembly = readAssembly(options.assembly ?? (await findAssembly(folder.file('assembly'), options)));
  const stack = new LocalStack(assembly.stackName, assembly.template);
  await runStep('Creating the tables', () => deployTables(stack, engine.endpoint));
  secrets.deploy(stack);
  const secretsEndpoint = await secrets.open();
  cleanups.defer(() => secrets.close());

  const permissions = createPermissions(stack);
  const dynamodb = await openAwsProxy(engine.endpoint, permissions, describeDynamoDb);
  cleanups.defer(dynamodb.close);
  const secretsmanager = await openAwsProxy(secretsEndpoint, permissions, describeSecretsManager);
  cleanups.defer(secretsmanager.close);
  const lambda = createLambda({
    assembly,
    stack,
    permissions,
    endpoints: {
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsmanager.endpoint,
    },
    log: (line) => {
      writeLog(line);
      onFunctionLog(line);
    },
  });
  cleanups.defer(lambda.stop);
  const control = await openControlServer(permissions, {
    dynamodb: dynamodb.disturbances,
    secretsmanager: secretsmanager.disturbances,
    lambda: lambda.throttles,
  });
  cleanups.defer(control.close);
  const gateway = await openGateway(port, { api: readApi(stack), lambda, isThrottled, onServed });
  cleanups.defer(gateway.close);

  const outputs: Outputs = {
    BaseUrl: gateway.baseUrl,
    DynamoDbEndpoint: engine.endpoint,
    SecretsEndpoint: secretsEndpoint,
    ControlEndpoint: control.endpoint,
    Region: REGION,
    Stack: { Name: stack.name, Outputs: { ...stack.outputs, BaseUrl: gateway.baseUrl } },
    Tables: Object.fromEntries(tableNames.map((name) => [name, stack.outputs[`${name}TableName`] ?? ''])),
    Clients: {},
  };
  const writeOutputs = () => {
    outputs.Clients = passwordsByUserName(stack, secrets);
    writeAtomically(folder.file('outputs.json'), `${JSON.stringify(outputs, null, 2)}\n`);
  };
  writeOutputs();
  secrets.onChange(() => {
    try {
      writeOutputs();
    } catch (error) {
      // The run does not need the file.
      onProblem(error instanceof Error ? error.message : String(error));
    }
  });
  const running = cleanups.move();
  return { outputs, engine, stop: () => running.disposeAsync() };
};

const findAssembly = async (folder: string, { stage, settings, signal, runStep }: RunOptions) => {
  const context = { stage, 'warehouse-control': settings };
  const { assemblyFolder } = await runStep(
    'Synthesizing the stack',
    () =>
      reuseOrSynthesize(
        folderOf(folder, context),
        () => hashSources('.', context),
        (output) => synthesize(output, signal, context),
      ),
    ({ isReused }) => (isReused ? 'reused from an earlier start' : ''),
  );
  return assemblyFolder;
};

const passwordsByUserName = (stack: LocalStack, secrets: SecretsManager): Record<string, string> =>
  Object.fromEntries(
    stack.ofType('AWS::SecretsManager::Secret').map(({ id, properties }) => {
      const { username } = JSON.parse(Object(properties['GenerateSecretString']).SecretStringTemplate);
      return [username, passwordIn(secrets.valueOf(stack.ref(id)))];
    }),
  );

/** A secret that an admin has edited may contain any text. */
const passwordIn = (secret = '') => {
  try {
    return String(Object(JSON.parse(secret)).password ?? '');
  } catch {
    return '';
  }
};
