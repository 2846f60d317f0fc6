import { createServer } from 'node:http';
import { readAssembly } from './assembly.ts';
import { DataFolder, writeAtomically } from './data-folder.ts';
import { readApi } from './gateway/api.ts';
import { Gateway, type ServedRequest } from './gateway/gateway.ts';
import { listen } from './http.ts';
import { Lambda } from './lambda/lambda.ts';
import { type Caller, describeDynamoDb, describeSecretsManager, openAwsProxy } from './services/aws-proxy.ts';
import { openControlServer } from './services/control-server.ts';
import { type Engine, startEngine } from './services/engine.ts';
import { Permissions } from './services/permissions.ts';
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

export type RunOptions = {
  port: number;
  data: string;
  isInMemory: boolean;
  isThrottled: boolean;
  /** Without a stage, the common settings apply. */
  stage?: string | undefined;
  /** JSON text that replaces the settings of cdk.json. */
  settings?: string | undefined;
  /** An engine that runs already. Without it, the run starts one. */
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

export type Run = { outputs: Outputs; engine: Engine; stop(): Promise<void> };

export const start = async (options: RunOptions): Promise<Run> => {
  await checkPortIsFree(options.port);
  if (options.assembly) readAssembly(options.assembly);
  const folder = new DataFolder(options.data, options.onProblem);
  folder.lock();
  const cleanups: (() => unknown)[] = [() => folder.release()];
  const stop = async () => {
    for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
  };
  try {
    return await startServices(folder, options, cleanups, stop);
  } catch (error) {
    await stop();
    throw error;
  }
};

const startServices = async (
  folder: DataFolder,
  options: RunOptions,
  cleanups: (() => unknown)[],
  stop: () => Promise<void>,
): Promise<Run> => {
  const onDisk = (name: string) => (options.isInMemory ? undefined : folder.file(name));
  const { runStep } = options;
  // Before the engine, so that a folder that cannot be used is found at once.
  const secrets = new SecretsManager(onDisk('secrets.json'));
  const writeLog = folder.openLog('functions.log');
  const engine = await runStep(
    'Starting the DynamoDB engine',
    () =>
      startEngine(options.isInMemory ? undefined : folder.path, options.onProblem, options.dynamoDbEndpoint),
    ({ description }) => description,
  );
  cleanups.push(() => engine.stop());
  const assembly = readAssembly(options.assembly ?? (await findAssembly(folder, options)));
  const stack = new LocalStack(assembly.stackName, assembly.template);
  await runStep('Creating the tables', () => deployTables(stack, engine.endpoint));
  secrets.deploy(stack);
  const secretsEndpoint = await secrets.open();
  cleanups.push(() => secrets.close());

  const permissions = new Permissions(stack);
  const callers = callersByAccessKey(stack);
  const proxies = {
    dynamodb: await openAwsProxy({
      callers,
      permissions,
      describe: describeDynamoDb,
      target: engine.endpoint,
    }),
    secretsmanager: await openAwsProxy({
      callers,
      permissions,
      describe: describeSecretsManager,
      target: secretsEndpoint,
    }),
  };
  cleanups.push(...Object.values(proxies).map(({ close }) => close));
  const endpoints = {
    AWS_ENDPOINT_URL_DYNAMODB: proxies.dynamodb.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: proxies.secretsmanager.endpoint,
  };

  const lambda = new Lambda({
    assembly,
    stack,
    permissions,
    serviceEnvironment: (name) => ({
      ...endpoints,
      AWS_ACCESS_KEY_ID: accessKeyOf(name),
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
    }),
    log: (name, line) => {
      writeLog(`${name} ${line}`);
      options.onFunctionLog(`${name} ${line}`);
    },
  });
  cleanups.push(() => lambda.stop());
  const control = await openControlServer(permissions, {
    dynamodb: proxies.dynamodb.disturbances,
    secretsmanager: proxies.secretsmanager.disturbances,
    lambda: lambda.throttles,
  });
  cleanups.push(control.close);

  const api = readApi(stack);
  const gateway = new Gateway({ api, lambda, isThrottled: options.isThrottled, onServed: options.onServed });
  const baseUrl = await gateway.open(options.port);
  cleanups.push(() => gateway.close());

  const outputs: Outputs = {
    BaseUrl: baseUrl,
    DynamoDbEndpoint: engine.endpoint,
    SecretsEndpoint: secretsEndpoint,
    ControlEndpoint: control.endpoint,
    Region: REGION,
    Stack: { Name: stack.name, Outputs: { ...stack.outputs, BaseUrl: baseUrl } },
    Tables: tableNamesIn(stack.outputs),
    Clients: passwordsByUserName(stack, secrets),
  };
  const outputsText = () => `${JSON.stringify(outputs, null, 2)}\n`;
  secrets.onChange(() => {
    outputs.Clients = passwordsByUserName(stack, secrets);
    folder.tryToWrite('outputs.json', outputsText());
  });
  writeAtomically(folder.file('outputs.json'), outputsText());
  return { outputs, engine, stop };
};

const findAssembly = async (folder: DataFolder, { stage, settings, signal, runStep }: RunOptions) => {
  const context = { stage, 'warehouse-control': settings };
  const { assemblyFolder } = await runStep(
    'Synthesizing the stack',
    () =>
      reuseOrSynthesize(
        folderOf(folder.file('assembly'), context),
        () => hashSources('.', context),
        (output) => synthesize(output, signal, context),
      ),
    ({ isReused }) => (isReused ? 'reused from an earlier start' : ''),
  );
  return assemblyFolder;
};

/** Checked before the synthesis, which takes seconds. */
const checkPortIsFree = async (port: number) => {
  const server = createServer();
  await listen(server, port);
  server.close();
};

const accessKeyOf = (functionName: string) =>
  `LOCAL${Buffer.from(functionName).toString('hex').toUpperCase()}`;

/** Each function has its own access key, so a proxy knows which role makes a call. */
const callersByAccessKey = (stack: LocalStack): ReadonlyMap<string, Caller> =>
  new Map(
    stack.ofType('AWS::Lambda::Function').map(({ id, properties }) => {
      const functionName = stack.ref(id);
      return [
        accessKeyOf(functionName),
        { functionName, role: String(properties['Role']).split('/').at(-1) ?? '' },
      ];
    }),
  );

const TABLE_OUTPUT = /^(.+)TableName$/;

const tableNamesIn = (outputs: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(outputs).flatMap(([name, value]) => {
      const table = TABLE_OUTPUT.exec(name)?.[1];
      return table ? [[table, value]] : [];
    }),
  );

/** A secret that an admin has edited may contain any text. */
const passwordsByUserName = (stack: LocalStack, secrets: SecretsManager): Record<string, string> =>
  Object.fromEntries(
    stack.ofType('AWS::SecretsManager::Secret').map(({ id, properties }) => {
      const { SecretStringTemplate } = Object(properties['GenerateSecretString']);
      const { username } = parseObject(SecretStringTemplate);
      const { password = '' } = parseObject(secrets.valueOf(stack.ref(id)));
      return [String(username), String(password)];
    }),
  );

const parseObject = (text: unknown) => {
  try {
    return Object(JSON.parse(String(text)));
  } catch {
    return {};
  }
};
